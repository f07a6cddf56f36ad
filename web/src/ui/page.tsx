import { dressed } from "./dressed";
import styles from "./page.module.css";

/** An area of the page, as wide as reads well. */
export const Page = dressed("div", styles.page, { wide: styles.wide, narrow: styles.narrow, muted: styles.muted });

/** Sections below one another, each with its heading. */
export const Stack = dressed("div", styles.stack);

/** How many there are, beside a heading. */
export const Count = dressed("span", styles.count);
