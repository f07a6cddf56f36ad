import type { ReactNode } from "react";
import { useText } from "../i18n";
import { TableFrame } from "../ui/table_frame";
import { Text, VisuallyHidden } from "../ui/text";
import styles from "./plain_table.module.css";

/** A small table; columns from `numbers` on are aligned right. A column without a name holds buttons, as the last one. */
export function PlainTable({
  label,
  head,
  rows,
  numbers = Infinity,
  none,
}: {
  label: string;
  head: string[];
  rows: ReactNode[][];
  numbers?: number;
  /** What is said where there are no rows. */
  none?: string;
}) {
  const t = useText();
  if (!rows.length) return <Text muted>{none ?? t.app.none}</Text>;
  return (
    <TableFrame tabIndex={0} role="region" aria-label={label}>
      <table className={head.at(-1) ? styles.whole : styles.stacked}>
        <thead>
          <tr>
            {head.map((name, place) => (
              <th key={place} scope="col" data-number={place >= numbers || undefined}>
                {name || <VisuallyHidden>{t.app.actions}</VisuallyHidden>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, line) => (
            <tr key={line}>
              {row.map((cell, place) => (
                <td key={place} data-head={head[place]} data-number={place >= numbers || undefined}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </TableFrame>
  );
}
