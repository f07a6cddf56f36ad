import type { ComponentProps } from "react";
import { dressed } from "./dressed";
import styles from "./text.module.css";

/** Words beside the matter: paler, smaller or both. */
export const Text = dressed("p", undefined, { muted: styles.muted, small: styles.small });

/** Told to those who cannot see the page. */
export const VisuallyHidden = dressed("span", styles.visuallyHidden);

/** Where there is nothing yet. */
export const Empty = dressed("p", styles.empty);

/** One number that is the whole answer. */
export function Figure(given: ComponentProps<"p">) {
  return <p className={styles.figure} data-figure {...given} />;
}

/** A value that the database does not have. */
export const NullMark = dressed("span", styles.null);
