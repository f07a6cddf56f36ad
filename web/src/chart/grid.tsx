import type { Column } from "../api/types";
import { useText } from "../i18n";
import { columnLabel } from "../i18n/format";
import { TableFrame } from "../ui/table_frame";
import { isAdditive, widthOf, type Grid } from "./model";
import { useWriter } from "./units";
import styles from "./chart.module.css";

const CELL = { widest: 120, narrowest: 40, height: 30 };
/** What a card has room for; a map of more columns is scrolled. */
const ROOM = 800;
const LABEL = { least: 56, most: 190, letters: 24 };
/** Columns of a pivot table before it is turned: months go down where there are many, as on paper. */
const MOST_ACROSS = 6;
const HEAD = 34;
/** Numbers are written a little smaller than names. */
const DIGIT = 0.92;
/** Heads that are wider than their columns stand steeply above them. */
const STEEP = (-60 * Math.PI) / 180;

type Props = { grid: Grid; measure: Column; x: string; split: string; currency: string; open: string[] };

const cut = (text: string, most: number) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

/** Two dimensions as coloured cells: the larger, the fuller the colour. */
export function HeatMap({ grid, measure, x, split, currency, open }: Props) {
  const values = grid.cells.flat();
  const writer = useWriter(measure, values, currency);
  const filled = values.filter((value) => value !== null);
  const [low, high] = [Math.min(...filled), Math.max(...filled)];
  const part = (value: number) => (high > low ? (value - low) / (high - low) : 1);
  const widest = (texts: string[]) => Math.max(0, ...texts.map(widthOf));
  const heads = grid.columns.map((name) => cut(name, LABEL.letters));
  const names = grid.rows.map((name) => cut(name, LABEL.letters));
  const start = Math.min(LABEL.most, Math.max(LABEL.least, widest(names) + 20));
  const least = Math.max(CELL.narrowest, widest(filled.map((value) => writer.short(value))) * DIGIT + 2);
  const fitting = (after: number) =>
    Math.min(CELL.widest, Math.max(least, Math.floor((ROOM - start - after) / grid.columns.length)));
  const steep = widest(heads) > fitting(0) - 4;
  // What the last heads reach beyond the last column.
  const beyond = (text: string, place: number) =>
    widthOf(text) * Math.cos(STEEP) - (heads.length - place - 0.5) * least;
  const after = steep ? Math.ceil(Math.max(0, ...heads.map(beyond))) : 0;
  const wide = fitting(after);
  const head = steep ? Math.ceil(widest(heads) * -Math.sin(STEEP)) + 24 : HEAD;
  const width = start + grid.columns.length * wide + after;
  const height = head + grid.rows.length * CELL.height;
  return (
    <div className={styles.frame} tabIndex={0} role="region" aria-label={`${columnLabel(measure)}: ${split} × ${x}`}>
      <svg data-chart="" viewBox={`0 0 ${width} ${height}`} width={width} height={height}>
        {grid.columns.map((name, place) => (
          <text
            key={name}
            transform={`translate(${start + (place + 0.5) * wide} ${head - 12})${steep ? " rotate(-60)" : ""}`}
            textAnchor={steep ? "start" : "middle"}
            className={styles.label}
          >
            {heads[place]}
            <title>{name}</title>
          </text>
        ))}
        {grid.rows.map((name, line) => (
          <g key={name} transform={`translate(0 ${head + line * CELL.height})`}>
            <text x={start - 10} y={CELL.height / 2 + 4} textAnchor="end" className={styles.label}>
              {names[line]}
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
