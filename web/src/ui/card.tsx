import { classes, dressed } from "./dressed";
import styles from "./card.module.css";

/** A sheet on the ground of the page. */
export const Card = dressed("div", styles.card);

/** Cards below one another. */
export const Cards = dressed("ul", styles.cards);

/** A card of a list: what it is, then what can be done with it. */
export const EntryCard = dressed("li", classes(styles.card, styles.entry));

/** A card to begin with. */
export const StartCard = dressed("button", classes(styles.card, styles.start));
