import { dressed } from "./dressed";
import styles from "./table_frame.module.css";

/** The frame of a table of a few rows; cells of numbers bear `data-number`. */
export const TableFrame = dressed("div", styles.frame);
