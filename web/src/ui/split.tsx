import { dressed } from "./dressed";
import styles from "./split.module.css";

/** A list beside what was chosen of it. */
export const Split = dressed("div", styles.split);

/** The list of a split page. */
export const SplitSide = dressed("div", styles.side);
