import type { ReactNode } from "react";
import { Card } from "../ui/card";
import styles from "./sample_sheet.module.css";

/** A question and what is known of it: its head, then the statement or what was said. */
export function SampleSheet({ children }: { children: ReactNode }) {
  return (
    <Card as="li" className={styles.sample}>
      {children}
    </Card>
  );
}
