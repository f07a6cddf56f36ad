import { dressed } from "./dressed";
import styles from "./row.module.css";

/** Things beside one another, in more lines where there is no room. */
export const Row = dressed("div", styles.row, { end: styles.end });

/** What can be done with that which stands below it. */
export const Toolbar = dressed("div", styles.toolbar);

/** Takes what room is left, so that what follows stands at the end. */
export const Spring = dressed("span", styles.spring);
