import { classes, dressed } from "./dressed";
import card from "./card.module.css";
import styles from "./form.module.css";

/** Fields below one another; `carded` on a sheet of their own. */
export const Form = dressed("form", styles.form, { carded: classes(card.card, styles.carded) });

/** Two fields beside one another, the second short; `even` where both are as wide. */
export const Pair = dressed("div", styles.pair, { even: styles.even });

/** A box to tick, with its words. */
export const Check = dressed("label", styles.check);

/** Boxes to tick that belong together. */
export const Series = dressed("fieldset", styles.series);
