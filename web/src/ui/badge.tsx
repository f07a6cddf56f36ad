import type { ComponentProps } from "react";
import { classes } from "./dressed";
import styles from "./badge.module.css";

export type BadgeKind = "good" | "bad" | "warn" | "";

/** A word or two that mark something. */
export function Badge({ kind = "", className, ...rest }: ComponentProps<"span"> & { kind?: BadgeKind }) {
  return <span className={classes(styles.badge, kind && styles[kind], className)} {...rest} />;
}
