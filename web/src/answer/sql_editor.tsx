import { useRef } from "react";
import { tokens } from "./sql_text";
import styles from "./sql_editor.module.css";

type Props = { value: string; label: string; readOnly?: boolean; onChange?: (sql: string) => void; onRun?: () => void };

/** A plain text area over its own coloured text: no library, no injected style. */
export function SqlEditor({ value, label, readOnly = false, onChange, onRun }: Props) {
  const behind = useRef<HTMLPreElement>(null);
  const coloured = tokens(value).map((token, place) =>
    token.kind === "space" || token.kind === "punctuation" ? (
      token.text
    ) : (
      <span key={place} className={styles[token.kind]}>
        {token.text}
      </span>
    ),
  );
  if (readOnly)
    return (
      <pre className={styles.sql} tabIndex={0} aria-label={label} role="region">
        <code>{coloured}</code>
      </pre>
    );
  return (
    <div className={styles.sqlEditor}>
      <pre className={styles.sql} ref={behind} aria-hidden="true">
        <code>
          {coloured}
          {"\n"}
        </code>
      </pre>
      <textarea
        aria-label={label}
        value={value}
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        rows={Math.min(24, Math.max(3, value.split("\n").length))}
        onChange={(event) => onChange?.(event.target.value)}
        onScroll={(event) => {
          if (!behind.current) return;
          behind.current.scrollTop = event.currentTarget.scrollTop;
          behind.current.scrollLeft = event.currentTarget.scrollLeft;
        }}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) {
            event.preventDefault();
            onRun?.();
          }
        }}
      />
    </div>
  );
}
