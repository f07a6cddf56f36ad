import { dressed } from "./dressed";
import styles from "./lists.module.css";

/** Short words beside one another. */
export const Tags = dressed("ul", styles.tags);

/** Sentences below one another. */
export const Lines = dressed("ul", styles.lines);

/** What is to be minded, each with its sign. */
export const Warnings = dressed("ul", styles.warnings);

/** Names with what they are. */
export const Facts = dressed("dl", styles.facts);

/** Chips beside one another. */
export const Chips = dressed("div", styles.chips);
