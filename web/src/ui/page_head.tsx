import type { ReactNode } from "react";
import { Row } from "./row";
import { Text } from "./text";
import styles from "./page_head.module.css";

export function PageHead({ title, lead, children }: { title: string; lead?: string; children?: ReactNode }) {
  return (
    <header className={styles.pageHead}>
      <div>
        <h1>{title}</h1>
        {lead && <Text muted>{lead}</Text>}
      </div>
      {children && <Row>{children}</Row>}
    </header>
  );
}
