import type { Column } from "../api/types";
import { useText } from "../i18n";
import { columnLabel } from "../i18n/format";
import { TableFrame } from "../ui/table_frame";
import { isAdditive, type Grid } from "./model";
import { useWriter } from "./units";
import styles from "./chart.module.css";

const CELL = { widest: 120, narrowest: 53, height: 30 };
/** What a card has room for; a map of more columns is scrolled. */
const ROOM = 800;
const LABEL = { least: 56, most: 130, letter: 8 };
/** Columns of a pivot table before it is turned: months go down where there are many, as on paper. */
const MOST_ACROSS = 6;
const HEAD = 34;

type Props = { grid: Grid; measure: Column; x: string; split: string; currency: string; open: string[] };

/** A Chinese character is as wide as two letters. */
const lettersOf = (character: string) => (/[\u2e80-\uffef]/.test(character) ? 1.6 : 1);

const cut = (text: string, most: number) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

/** Two dimensions as coloured cells: the larger, the fuller the colour. */
export function HeatMap({ grid, measure, x, split, currency, open }: Props) {
  const values = grid.cells.flat();
  const writer = useWriter(measure, values, currency);
  const filled = values.filter((value) => value !== null);
  const [low, high] = [Math.min(...filled), Math.max(...filled)];
  const part = (value: number) => (high > low ? (value - low) / (high - low) : 1);
  const longest = Math.max(...grid.rows.map((name) => [...cut(name, 15)].reduce((sum, c) => sum + lettersOf(c), 0)));
  const start = Math.min(LABEL.most, Math.max(LABEL.least, longest * LABEL.letter + 16));
  const fitting = Math.floor((ROOM - start) / grid.columns.length);
  const wide = Math.min(CELL.widest, Math.max(CELL.narrowest, fitting));
  const width = start + grid.columns.length * wide;
  const height = HEAD + grid.rows.length * CELL.height;
  return (
    <div className={styles.frame} tabIndex={0} role="region" aria-label={`${columnLabel(measure)}: ${split} × ${x}`}>
      <svg data-chart="" viewBox={`0 0 ${width} ${height}`} width={width} height={height}>
        {grid.columns.map((name, place) => (
          <text key={name} x={start + (place + 0.5) * wide} y={HEAD - 12} textAnchor="middle" className={styles.label}>
            {cut(name, Math.floor(wide / 6))}
            <title>{name}</title>
          </text>
        ))}
        {grid.rows.map((name, line) => (
          <g key={name} transform={`translate(0 ${HEAD + line * CELL.height})`}>
            <text x={start - 10} y={CELL.height / 2 + 4} textAnchor="end" className={styles.label}>
              {cut(name, 15)}
              <title>{name}</title>
            </text>
            {grid.cells[line]!.map((value, place) => (
              <g key={place} transform={`translate(${start + place * wide} 0)`}>
                <rect
                  x="1"
                  y="1"
                  width={wide - 2}
                  height={CELL.height - 2}
                  rx="4"
                  fill={value === null ? "var(--sunken)" : "var(--chart-1)"}
                  fillOpacity={value === null ? 1 : 0.08 + 0.6 * part(value)}
                  {...(open.includes(grid.columns[place]!) && {
                    stroke: "var(--chart-1)",
                    strokeDasharray: "5 4",
                  })}
                />
                {value !== null && (
                  <text x={wide / 2} y={CELL.height / 2 + 4} textAnchor="middle" className={styles.value}>
                    {writer.short(value)}
                    <title>{`${name}, ${grid.columns[place]}: ${writer.full(value)}`}</title>
                  </text>
                )}
              </g>
            ))}
          </g>
        ))}
      </svg>
    </div>
  );
}

const turn = (grid: Grid): Grid => ({
  ...grid,
  columns: grid.rows,
  rows: grid.columns,
  cells: grid.columns.map((_, place) => grid.cells.map((line) => line[place] ?? null)),
});

/** Two dimensions as a table, with sums where the measure may be summed. */
export function PivotTable({ grid: whole, measure, x, split, currency }: Props) {
  const t = useText();
  const turned = whole.columns.length > Math.max(MOST_ACROSS, whole.rows.length);
  const grid = turned ? turn(whole) : whole;
  const writer = useWriter(measure, grid.cells.flat(), currency);
  const sums = isAdditive(measure);
  const sum = (values: (number | null)[]) => values.reduce<number>((total, value) => total + (value ?? 0), 0);
  const shown = (value: number | null) => (value === null ? "" : writer.full(value));
  return (
    <TableFrame
      className={styles.pivot}
      tabIndex={0}
      role="region"
      aria-label={`${columnLabel(measure)}: ${split} × ${x}`}
    >
      <table>
        <thead>
          <tr>
            <th scope="col">{(turned ? [x, split] : [split, x]).filter(Boolean).join(" \\ ")}</th>
            {grid.columns.map((name) => (
              <th key={name} scope="col" data-number>
                {name}
              </th>
            ))}
            {sums && (
              <th scope="col" data-number>
                {t.chart.total}
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {grid.rows.map((name, line) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {grid.cells[line]!.map((value, place) => (
                <td key={place} data-number>
                  {shown(value)}
                </td>
              ))}
              {sums && <td data-number>{shown(sum(grid.cells[line]!))}</td>}
            </tr>
          ))}
        </tbody>
        {sums && grid.rows.length > 1 && (
          <tfoot>
            <tr>
              <th scope="row">{t.chart.total}</th>
              {grid.columns.map((name, place) => (
                <td key={name} data-number>
                  {shown(sum(grid.cells.map((line) => line[place] ?? null)))}
                </td>
              ))}
              <td data-number>{shown(sum(grid.cells.flat()))}</td>
            </tr>
          </tfoot>
        )}
      </table>
    </TableFrame>
  );
}
