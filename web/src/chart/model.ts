import type { Cell, ChartSpec, Column } from "../api/types";
import { plainCell } from "../i18n/format";

export type ChartType = "bar" | "line" | "area" | "pie" | "scatter";
export type Point = { x: string | number; y: (number | null)[] };
/** What is drawn: points by place, never by name, so that a column may be called anything. */
export type ChartModel = {
  type: ChartType;
  x: string;
  names: string[];
  points: Point[];
  stacked: boolean;
  cut: boolean;
  /** The points of periods that are not over; they are drawn as such, lest every trend ends in a fall. */
  open: boolean[];
};
export type Choice = { type: ChartType; x: string; series: string[]; stacked: boolean };

export const MOST_POINTS = 100;
export const MOST_SLICES = 8;
export const MOST_SERIES = 6;

const TYPES: ChartType[] = ["bar", "line", "area", "pie", "scatter"];

export function toNumber(cell: Cell | undefined): number | null {
  if (typeof cell === "number") return Number.isFinite(cell) ? cell : null;
  if (typeof cell !== "string" || !/^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(cell.trim())) return null;
  return Number(cell);
}

const label = (cell: Cell | undefined): string | number =>
  typeof cell === "number" ? cell : cell === null || cell === undefined ? "∅" : plainCell(cell).slice(0, 80);

/** The server's name for the slices it put together, and ours. */
export const OTHERS = "…";

const ORDINAL = /\d|^(mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|[周季月日]$|^星期/i;

/** Bars of plain names go from the largest down; names that have an order of their own keep it. */
export function sorted(type: ChartType, points: Point[]): Point[] {
  if (type !== "bar" || points.some(({ x }) => typeof x === "number" || ORDINAL.test(x))) return points;
  return [...points].sort((a, b) => (b.y[0] ?? 0) - (a.y[0] ?? 0));
}

const RATE = /(^|[ _])(rate|ratio|share|percentage|margin)([ _]|$)|率$|占比$|比例$/i;

/** Whether a series holds parts of one, to be told as per cent. */
export function isRate({ names, points }: Pick<ChartModel, "names" | "points">): boolean {
  const values = points.flatMap((point) => point.y.filter((value) => value !== null));
  return values.length > 0 && names.every((name) => RATE.test(name)) && values.every((v) => v >= -1 && v <= 1);
}

/** The model with the periods that are not over, by the labels that the answer's facts give them. */
export function withOpen(model: ChartModel, labels: string[]): ChartModel {
  return { ...model, open: model.points.map(({ x }) => labels.some((label) => label !== "" && String(x) === label)) };
}

/** The server's chart as points. Fields of the wrong type are dropped: a spec is data from outside. */
export function fromSpec(spec: ChartSpec): ChartModel {
  const series = Array.isArray(spec.series) ? spec.series.slice(0, MOST_SERIES) : [];
  const data = Array.isArray(spec.data) ? spec.data.slice(0, MOST_POINTS) : [];
  const type = TYPES.includes(spec.type) ? spec.type : "bar";
  const points = data.map((row) => ({
    x: label(own(row, spec.x)),
    y: series.map((each) => toNumber(own(row, each.key))),
  }));
  return {
    type,
    x: String(spec.x),
    names: series.map((each) => String(each.name || each.key)),
    points: sorted(type, points),
    stacked: Boolean(spec.stacked),
    cut: Boolean(spec.aggregated),
    open: [],
  };
}

function own(row: Record<string, unknown>, key: string): Cell | undefined {
  return Object.hasOwn(row, key) ? (row[key] as Cell) : undefined;
}

/** Columns that can be measured: at least half of the filled cells are numbers. */
export function measures(columns: Column[], rows: Cell[][]): string[] {
  return columns
    .filter((column, place) => {
      const filled = rows
        .slice(0, 200)
        .map((row) => row[place])
        .filter((cell) => cell !== null && cell !== undefined);
      const numeric = filled.filter((cell) => toNumber(cell) !== null).length;
      return column.kind === "number" || (column.kind !== "text" && filled.length > 0 && numeric * 2 > filled.length);
    })
    .map((column) => column.name);
}

/** The choice that shows what the server's chart shows. */
export function choiceOf(spec: ChartSpec | null, columns: Column[], rows: Cell[][]): Choice | null {
  if (spec) return { type: spec.type, x: spec.x, series: spec.series.map((each) => each.key), stacked: spec.stacked };
  const numbers = measures(columns, rows);
  const x = columns.find((column) => !numbers.includes(column.name)) ?? columns[0];
  const series = numbers.filter((name) => name !== x?.name).slice(0, 1);
  if (rows.length < 2 || !x || !series.length) return null;
  const time = x.kind === "date" || x.kind === "datetime";
  return { type: time ? "line" : "bar", x: x.name, series, stacked: false };
}

/** Points from the rows themselves, for axes that a person chose; equal labels are added up. */
export function fromRows(choice: Choice, columns: Column[], rows: Cell[][]): ChartModel {
  const at = (name: string) => columns.findIndex((column) => column.name === name);
  const x = at(choice.x);
  const series = choice.series
    .slice(0, MOST_SERIES)
    .map(at)
    .filter((place) => place >= 0);
  const points =
    choice.type === "scatter"
      ? rows.flatMap((row) => {
          const value = toNumber(row[x]);
          return value === null ? [] : [{ x: value, y: series.map((place) => toNumber(row[place])) }];
        })
      : merged(rows, x, series);
  const most = choice.type === "pie" ? MOST_SLICES : MOST_POINTS;
  const shown = choice.type === "pie" ? [...points].sort((a, b) => (b.y[0] ?? 0) - (a.y[0] ?? 0)) : points;
  return {
    type: choice.type,
    x: choice.x,
    names: choice.series.slice(0, MOST_SERIES),
    points: bounded(sorted(choice.type, shown), most, choice.type),
    stacked: choice.stacked,
    cut: points.length > most,
    open: [],
  };
}

function merged(rows: Cell[][], x: number, series: number[]): Point[] {
  const found = new Map<string | number, Point>();
  for (const row of rows) {
    const name = label(row[x]);
    const values = series.map((place) => toNumber(row[place]));
    const point = found.get(name);
    if (!point) found.set(name, { x: name, y: values });
    else point.y = point.y.map((value, place) => (values[place] === null ? value : (value ?? 0) + values[place]!));
  }
  return [...found.values()];
}

function bounded(points: Point[], most: number, type: ChartType): Point[] {
  if (points.length <= most) return points;
  if (type === "pie") {
    const rest = points.slice(most - 1).reduce((sum, point) => sum + (point.y[0] ?? 0), 0);
    return [...points.slice(0, most - 1), { x: OTHERS, y: [rest] }];
  }
  if (type === "bar") return points.slice(0, most);
  const step = Math.ceil(points.length / most);
  return points.filter((_, place) => place % step === 0);
}
