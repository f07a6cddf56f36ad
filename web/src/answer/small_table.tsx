import type { Cell, Column } from "../api/types";
import { usePreferences } from "../app/preferences";
import { useText } from "../i18n";
import { columnLabel, alignmentOf, tellCell } from "../i18n/format";
import { LinkButton } from "../ui/button";
import { NullMark } from "../ui/text";
import styles from "./small_table.module.css";

const ROWS = 5;
const COLUMNS = 6;

/** The first rows as a plain table; the whole is behind a tab. */
export function SmallTable({
  columns,
  rows,
  total,
  label,
  most = ROWS,
  onAll,
}: {
  columns: Column[];
  rows: Cell[][];
  total: number;
  /** What the rows are of: several tables on one page are told apart by it. */
  label?: string;
  /** Rows that are shown. */
  most?: number;
  onAll?: () => void;
}) {
  const t = useText();
  const { language } = usePreferences();
  const shown = columns.slice(0, COLUMNS);
  const aligned = shown.map((_, place) => alignmentOf(rows, place));
  return (
    <div className={styles.smallTable} tabIndex={0} role="region" aria-label={label ?? t.answer.tabs.table}>
      <table>
        <thead>
          <tr>
            {shown.map((column, place) => (
              <th key={place} scope="col" className={column.kind === "number" ? styles.number : undefined}>
                {columnLabel(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, most).map((row, line) => (
            <tr key={line}>
              {shown.map((column, place) => (
                <td key={place} className={column.kind === "number" ? styles.number : undefined}>
                  {row[place] === null ? (
                    <NullMark title="NULL">—</NullMark>
                  ) : (
                    tellCell(row[place] ?? null, column, language, aligned[place]).slice(0, 80)
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {onAll && (total > most || columns.length > COLUMNS) && (
        <LinkButton type="button" className={styles.all} onClick={onAll}>
          {t.answer.showAll}
        </LinkButton>
      )}
    </div>
  );
}
