import { dressed } from "./dressed";
import styles from "./tries.module.css";

/** Questions to try, each a button. */
export const Tries = dressed("ul", styles.tries);
