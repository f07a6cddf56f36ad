import type { ReactNode } from "react";
import styles from "./page_head.module.css";

export function PageHead({ title, lead, children }: { title: string; lead?: string; children?: ReactNode }) {
  return (
    <header className={styles.pageHead}>
      <div>
        <h1>{title}</h1>
        {lead && <p className="muted">{lead}</p>}
      </div>
      {children && <div className="row">{children}</div>}
    </header>
  );
}
