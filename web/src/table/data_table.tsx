import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useMemo, useRef, useState } from "react";
import type { Cell, Column } from "../api/types";
import { usePreferences } from "../app/preferences";
import { useText } from "../i18n";
import { LONGEST_SHOWN, columnLabel, alignmentOf, plainCell, tellCell } from "../i18n/format";
import { Dialog } from "../ui/dialog";
import { classes } from "../ui/dressed";
import { Icon } from "../ui/icons";
import { NullMark, Text, VisuallyHidden } from "../ui/text";
import { usePages } from "./pages";
import { breadth, compareCells, fitted, widths } from "./window";
import styles from "./data_table.module.css";

const ROW = 34;
const HEAD = 37;
const NUMBERS = 48;
const TALLEST = 440;
const PADDING = 24;

type Props = { label: string; columns: Column[]; rows: Cell[][]; total: number; resultId: string | null };
type Order = { column: number; down: boolean } | null;

/** A table that draws only what is seen: any number of rows and columns cost the same. */
export function DataTable({ label, columns, rows, total, resultId }: Props) {
  const t = useText();
  const { language } = usePreferences();
  const frame = useRef<HTMLDivElement>(null);
  const [order, setOrder] = useState<Order>(null);
  const [read, setRead] = useState<{ name: string; text: string } | null>(null);
  const { row: rowAt, need, error } = usePages(resultId, rows, total);
  const whole = rows.length >= total;
  const sorted = useMemo(() => {
    if (!order || !whole) return rows;
    const sign = order.down ? -1 : 1;
    return [...rows].sort((a, b) => {
      const [left, right] = [a[order.column] ?? null, b[order.column] ?? null];
      return left === null || right === null
        ? compareCells(left, right, language)
        : sign * compareCells(left, right, language);
    });
  }, [rows, order, whole, language]);
  const [room, setRoom] = useState(0);
  useEffect(() => {
    const watch = new ResizeObserver(([entry]) => setRoom(entry?.contentRect.width ?? 0));
    watch.observe(frame.current!);
    return () => watch.disconnect();
  }, []);
  const sizes = useMemo(
    () => fitted(widths(columns, rows, language), columns, room - NUMBERS),
    [columns, rows, language, room],
  );
  const aligned = useMemo(() => columns.map((_, place) => alignmentOf(rows, place)), [columns, rows]);
  const down = useVirtualizer({
    count: total,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW,
    overscan: 12,
  });
  const across = useVirtualizer({
    horizontal: true,
    count: columns.length,
    getScrollElement: () => frame.current,
    estimateSize: (place) => sizes[place] ?? 120,
    overscan: 3,
    paddingStart: NUMBERS,
  });
  const shown = down.getVirtualItems();
  const first = shown[0]?.index ?? 0;
  const last = shown.at(-1)?.index ?? 0;
  useEffect(() => need(first, last), [first, last, need]);
  useEffect(() => across.measure(), [sizes, across]);

  const place = (start: number, size: number) => ({ transform: `translateX(${start}px)`, width: size });
  const cellAt = (index: number, column: number): Cell | undefined => (whole ? sorted[index] : rowAt(index))?.[column];
  const turn = (column: number) =>
    setOrder(order?.column === column ? (order.down ? null : { column, down: true }) : { column, down: false });

  return (
    <>
      <div
        className={styles.dataTable}
        ref={frame}
        role="table"
        aria-label={label}
        aria-rowcount={total + 1}
        aria-colcount={columns.length + 1}
        tabIndex={0}
        style={{ height: Math.min(TALLEST, HEAD + total * ROW + 14) }}
      >
        <div role="rowgroup" className={styles.dataHead} style={{ width: across.getTotalSize() }}>
          <div role="row" aria-rowindex={1} className={styles.dataRow}>
            <div role="columnheader" aria-colindex={1} className={styles.rowNumber}>
              <VisuallyHidden>#</VisuallyHidden>
            </div>
            {across.getVirtualItems().map((item) => {
              const column = columns[item.index]!;
              const state = order?.column === item.index ? (order.down ? "descending" : "ascending") : "none";
              return (
                <div
                  key={item.key}
                  role="columnheader"
                  aria-colindex={item.index + 2}
                  aria-sort={whole ? state : undefined}
                  className={classes(styles.dataCell, column.kind === "number" && styles.number)}
                  style={place(item.start, item.size)}
                >
                  {whole ? (
                    <button type="button" title={t.answer.sort(columnLabel(column))} onClick={() => turn(item.index)}>
                      <span>{columnLabel(column)}</span>
                      {state !== "none" && <Icon name={state === "ascending" ? "send" : "down"} size={12} />}
                    </button>
                  ) : (
                    <span title={column.name}>{columnLabel(column)}</span>
                  )}
                </div>
              );
            })}
          </div>
        </div>
        <div
          role="rowgroup"
          className={styles.dataBody}
          style={{ height: down.getTotalSize(), width: across.getTotalSize() }}
        >
          {shown.map((row) => (
            <div
              key={row.key}
              role="row"
              aria-rowindex={row.index + 2}
              className={styles.dataRow}
              style={{ transform: `translateY(${row.start}px)` }}
            >
              <div role="cell" aria-colindex={1} className={styles.rowNumber}>
                {row.index + 1}
              </div>
              {across.getVirtualItems().map((item) => {
                const column = columns[item.index]!;
                const cell = cellAt(row.index, item.index);
                // What is cut is opened by a click or a touch.
                const long = typeof cell === "string" && (cell.length > 40 || breadth(cell) + PADDING > item.size);
                return (
                  <div
                    key={item.key}
                    role="cell"
                    aria-colindex={item.index + 2}
                    className={classes(styles.dataCell, column.kind === "number" && styles.number)}
                    style={place(item.start, item.size)}
                  >
                    {cell === undefined ? (
                      <span className={styles.skeleton} />
                    ) : cell === null ? (
                      <NullMark title={t.answer.null}>NULL</NullMark>
                    ) : long ? (
                      <button
                        type="button"
                        className={styles.longCell}
                        onClick={() => setRead({ name: column.name, text: plainCell(cell) })}
                      >
                        {tellCell(cell, column, language, aligned[item.index])}
                      </button>
                    ) : (
                      <span>{tellCell(cell, column, language, aligned[item.index])}</span>
                    )}
                  </div>
                );
              })}
            </div>
          ))}
        </div>
      </div>
      {error !== null && <Text muted>{t.answer.expired}</Text>}
      {read && (
        <Dialog title={read.name} onClose={() => setRead(null)}>
          <pre className={styles.wholeCell}>{read.text.slice(0, 100_000)}</pre>
          {read.text.length > LONGEST_SHOWN && (
            <Text muted>{t.answer.long(read.text.length.toLocaleString(language))}</Text>
          )}
        </Dialog>
      )}
    </>
  );
}
