import type { Cell, ChartSpec, Column } from "../api/types";
import { columnLabel, namesThings, plainCell } from "../i18n/format";

export type ChartType = "bar" | "line" | "area" | "pie" | "scatter" | "heat" | "pivot";
/** Series side by side, on each other, or as parts of a whole. */
export type Stacking = "none" | "stacked" | "full";
export type Point = {
  x: string | number;
  y: (number | null)[];
  /** What the point of two numbers is of; a place on an axis of names says it itself. */
  name?: string;
};
/** How the numbers of a series look, and whether it is there to be compared with. */
export type Look = { unit: Unit; currency: string; compares: boolean };
/** What is drawn: points by place, never by name, so that a column may be called anything. */
export type ChartModel = {
  type: ChartType;
  x: string;
  names: string[];
  looks: Look[];
  /** What the numbers are, where the series are values of a second dimension; else empty. */
  measure: string;
  points: Point[];
  stacked: Stacking;
  cut: boolean;
  /** The points of periods that are not over; they are drawn as such, lest every trend ends in a fall. */
  open: boolean[];
};
/** `split` names a second dimension, whose values become the series of one measure; empty for none. */
export type Choice = { type: ChartType; x: string; split: string; series: string[]; stacked: Stacking };

export const MOST_POINTS = 100;
export const MOST_SLICES = 8;
export const MOST_SERIES = 8;

const TYPES: ChartType[] = ["bar", "line", "area", "pie", "scatter", "heat", "pivot"];

export function toNumber(cell: Cell | undefined): number | null {
  if (typeof cell === "number") return Number.isFinite(cell) ? cell : null;
  if (typeof cell !== "string" || !/^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(cell.trim())) return null;
  return Number(cell);
}

const label = (cell: Cell | undefined): string | number =>
  typeof cell === "number" ? cell : cell === null || cell === undefined ? "∅" : plainCell(cell).slice(0, 80);

/** The server's name for the slices it put together, and ours. */
export const OTHERS = "…";

const ORDINAL =
  /\d|^(mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|[周季月日]$|^(星期|周|礼拜)[一二三四五六日天]/i;

/**
 * Bars of plain names go from the largest down. Names that have an order of their own keep it, and so do amounts that rise
 * all the way, for somebody ranked them; of two that says nothing.
 */
export function sorted(type: ChartType, points: Point[]): Point[] {
  if (type !== "bar" || points.some(({ x }) => typeof x === "number" || ORDINAL.test(x))) return points;
  const rises = points.every(({ y }, place) => (y[0] ?? 0) >= (points[place - 1]?.y[0] ?? -Infinity));
  if (rises && points.length > 2) return points;
  return [...points].sort((a, b) => (b.y[0] ?? 0) - (a.y[0] ?? 0));
}

/** Whether the places of an axis are plain names, of which none follows from its neighbours as months and years do. */
export const areNames = (points: Point[]): boolean => points.some(({ x }) => typeof x === "string" && !ORDINAL.test(x));

const INTERVALS = 5;

/**
 * The numbers of an axis from nought to beyond the largest, in round steps: multiples of 550 thousand would be rounded to
 * what they are not. Things that are counted have no halves.
 */
export function ticksOf(points: Point[], stacked: boolean): number[] {
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
  const ends = points.flatMap(({ y }) => {
    const known = y.map((value) => value ?? 0);
    return stacked ? [sum(known.filter((value) => value > 0)), sum(known.filter((value) => value < 0))] : known;
  });
  const [low, high] = [Math.min(0, ...ends), Math.max(0, ...ends)];
  if (low === high) return [0, 1];
  const rough = (high - low) / INTERVALS;
  const power = 10 ** Math.floor(Math.log10(rough));
  const counted = ends.every(Number.isInteger) && power < 10;
  const round = (counted ? [1, 2, 5, 10] : [1, 2, 2.5, 5, 10]).map((part) => part * power);
  const step = Math.max(
    counted ? 1 : 0,
    round.find((each) => each >= rough * (1 - 1e-9))!,
  );
  const [first, last] = [Math.floor(low / step), Math.ceil(high / step)];
  return Array.from({ length: last - first + 1 }, (_, place) => Number(((first + place) * step).toPrecision(12)));
}

const RATE = /(^|[ _])(rate|ratio|share|percentage|margin)([ _]|$)|率$|占比$|比例$/i;

const PERCENT = /(^|[ _])percent(age)?$|百分比$|占比$/i;
const MONEY =
  /(^|[ _])(revenue|sales|amount|price|cost|profit|turnover|income|spent|spend|paid|gmv|refund|discount)([ _]|$)|金额|销售额|收入|价格|单价|成本|利润|营业额|客单价|花费|退款|余额/i;
const COUNTED =
  /(^|[ _])(count|number|quantity|orders|customers|rows|rate|ratio|share)([ _]|$)|数$|数量|次数|件数|率$/i;

/** What the numbers of a series are: parts of one, per cent already, money, or plain. */
export type Unit = "rate" | "percent" | "money" | "plain";

export function unitOf(name: string, values: (number | null)[]): Unit {
  const filled = values.filter((value) => value !== null);
  if (filled.length && RATE.test(name) && filled.every((value) => value >= -1 && value <= 1)) return "rate";
  if (PERCENT.test(name)) return "percent";
  return MONEY.test(name) && !COUNTED.test(name) ? "money" : "plain";
}

/** What the server says of a column's numbers; its name is asked only where it says nothing. */
export function lookOf(column: Column | undefined, values: (number | null)[], compares = false): Look {
  const name = column?.name ?? "";
  return { unit: UNITS[column?.format ?? ""] ?? unitOf(name, values), currency: column?.unit ?? "", compares };
}

const UNITS: Record<string, Unit | undefined> = {
  money: "money",
  percent: "percent",
  fraction: "rate",
  count: "plain",
  number: "plain",
};

const PREVIOUS = /^previous[_ ]|^对比期|(^|[ _])last (year|month|quarter|week)$|去年|上期|同期/i;

/** Whether a series is there to be compared with. */
export const isComparison = (name: string): boolean => PREVIOUS.test(name);

const NOT_ADDED =
  /(^|[ _])(avg|average|mean|median|min|max|rate|ratio|percent|share|price|rank|rating)([ _]|$)|平均|均价|单价|率$|占比|百分比|最大|最小|最高|最低|排名/i;

/** Whether the numbers of a column may be summed. */
export const isAdditive = (column: Column): boolean =>
  column.format !== "percent" && column.format !== "fraction" && !NOT_ADDED.test(column.name);

/** Whether the parts of a pie are parts of one thing: amounts that may be summed, or shares that make a whole. */
export function makesWhole(column: Column, values: (number | null)[]): boolean {
  const total = values.reduce<number>((sum, value) => sum + (value ?? 0), 0);
  return isAdditive(column) || [1, 100].some((whole) => Math.abs(total - whole) <= whole / 100);
}

const LETTER_PX = 6.6;
const WIDE_LETTER_PX = 12.2;

/** How long words are at the size of labels: a Chinese character is nearly as wide as two letters. */
export const widthOf = (text: string): number =>
  [...text].reduce((sum, c) => sum + (/[\u2e80-\uffef]/.test(c) ? WIDE_LETTER_PX : LETTER_PX), 0);

export type Tilt = { angle: number; height: number; interval: number };
const TILTED_PX = 22;
const STEEP_PX = 15;
/** Names that nearly stand upright need no more than their own height. */
const UPRIGHT_PX = 12.3;

/** How names under so many bars stand on an axis of that width: steeper where it is tight, and some left out at last. */
export function tiltOf(count: number, width: number): Tilt {
  const apart = width > 0 ? width / count : TILTED_PX;
  if (apart >= TILTED_PX) return { angle: -35, height: 84, interval: 0 };
  if (apart < STEEP_PX && apart >= UPRIGHT_PX) return { angle: -80, height: 112, interval: 0 };
  return { angle: -60, height: 112, interval: Math.max(0, Math.ceil(STEEP_PX / apart) - 1) };
}

/** The model with the periods that are not over, by the labels that the server gives them. */
export function withOpen(model: ChartModel, labels: string[]): ChartModel {
  return { ...model, open: model.points.map(({ x }) => labels.some((label) => label !== "" && String(x) === label)) };
}

const stackingOf = (spec: ChartSpec): Stacking => (spec.whole ? "full" : spec.stacked ? "stacked" : "none");

/** The server's chart as points. Fields of the wrong type are dropped: a spec is data from outside. */
export function fromSpec(spec: ChartSpec): ChartModel {
  const series = Array.isArray(spec.series) ? spec.series.slice(0, MOST_SERIES) : [];
  const data = Array.isArray(spec.data) ? spec.data.slice(0, MOST_POINTS) : [];
  const type = TYPES.includes(spec.type) ? spec.type : "bar";
  const points = data.map((row) => ({
    x: label(own(row, spec.x)),
    y: series.map((each) => toNumber(own(row, each.key))),
  }));
  const looks = series.map((each, place) => {
    const like = { name: String(each.key), kind: "number", format: each.format, unit: each.unit };
    return lookOf(
      like,
      points.map((point) => point.y[place] ?? null),
      Boolean(each.compares),
    );
  });
  return {
    type,
    x: String(spec.x_name || spec.x),
    names: series.map((each) => String(each.name || each.key)),
    looks,
    measure: String(spec.measure ?? ""),
    points,
    stacked: stackingOf(spec),
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

/** Columns that name rows rather than measure them. */
export function dimensions(columns: Column[], rows: Cell[][]): string[] {
  const numbers = measures(columns, rows);
  return columns.map((column) => column.name).filter((name) => !numbers.includes(name));
}

const placeOf = (columns: Column[], name: string) => columns.findIndex((column) => column.name === name);

/** A cell that names its place, in words where it is a code. */
const nameOf = (cell: Cell | undefined, column: Column | undefined): string | number => {
  const word = typeof cell === "string" || typeof cell === "number" ? column?.words?.[String(cell)] : undefined;
  return word || label(cell);
};

const valuesOf = (columns: Column[], rows: Cell[][], name: string): Set<string> => {
  const place = placeOf(columns, name);
  return new Set(rows.map((row) => String(label(row[place]))));
};

/** Whether the server's chart shows amounts where their shares were asked for; a pie tells both. */
const lacksShares = (spec: ChartSpec, columns: Column[], share: string): boolean =>
  placeOf(columns, share) >= 0 &&
  placeOf(columns, spec.x) >= 0 &&
  !spec.split &&
  ["bar", "line", "area"].includes(spec.type) &&
  !spec.series.some(({ key }) => key === share);

/** Whether the rows say more than the server's chart: shares that were asked for, or whose each point of a scatter is. */
export const isDrawnFromRows = (spec: ChartSpec, columns: Column[], share: string): boolean =>
  lacksShares(spec, columns, share) || (spec.type === "scatter" && placeOf(columns, spec.x) >= 0);

/** The choice that shows what the server's chart shows; of shares that were asked for the column of `share`. */
export function choiceOf(spec: ChartSpec | null, columns: Column[], rows: Cell[][], share = ""): Choice | null {
  const numbers = measures(columns, rows);
  const names = dimensions(columns, rows);
  if (spec && lacksShares(spec, columns, share))
    return { type: spec.type, x: spec.x, split: "", series: [share], stacked: "none" };
  if (spec) {
    const keys = spec.series.map((each) => each.key);
    // A chart that was kept before charts said so: series that are no columns are values of a second dimension.
    const guessed = () =>
      keys.every((key) => placeOf(columns, key) >= 0)
        ? ""
        : (names.find((name) => name !== spec.x && keys.every((key) => valuesOf(columns, rows, name).has(key))) ?? "");
    const split = spec.split || guessed();
    const series = split ? numbers.slice(0, 1) : keys;
    return { type: spec.type, x: spec.x, split, series, stacked: stackingOf(spec) };
  }
  const x = columns.find((column) => names.includes(column.name)) ?? columns[0];
  const series = numbers.filter((name) => name !== x?.name).slice(0, 1);
  if (rows.length < 2 || !x || !series.length) return null;
  const time = x.kind === "date" || x.kind === "datetime";
  const second = names.find((name) => name !== x.name);
  const repeats = valuesOf(columns, rows, x.name).size < rows.length;
  return { type: time ? "line" : "bar", x: x.name, split: (repeats && second) || "", series, stacked: "none" };
}

/**
 * What can stand below a chart: of a scatter chart a measure, else what names the rows. A year is a number that names them,
 * and so is what the server took for the axis; where nothing does, anything may.
 */
export function axesOf(type: ChartType, columns: Column[], rows: Cell[][], first: Choice | null): string[] {
  const numbers = measures(columns, rows);
  if (type === "scatter") return numbers;
  const isAxis = (name: string) =>
    !numbers.includes(name) || namesThings(name) || (first?.x === name && first.type !== "scatter");
  const named = columns.map((column) => column.name).filter(isAxis);
  return named.length ? named : columns.map((column) => column.name);
}

/** The choice as another type of chart, on axes that this type can have. */
export function become(
  type: ChartType,
  choice: Choice,
  first: Choice | null,
  columns: Column[],
  rows: Cell[][],
): Choice {
  const numbers = measures(columns, rows);
  if (type === "scatter") {
    const y = choice.series.find((each) => numbers.includes(each)) ?? numbers[0]!;
    const x = numbers.includes(choice.x) && choice.x !== y ? choice.x : numbers.find((each) => each !== y)!;
    return { ...choice, type, split: "", x, series: [y] };
  }
  const axes = axesOf(type, columns, rows, first);
  const usual = first && axes.includes(first.x) ? first.x : axes[0]!;
  const x = axes.includes(choice.x) ? choice.x : usual;
  const measured = choice.series.filter((each) => each !== x);
  const series = measured.length ? measured : numbers.filter((each) => each !== x).slice(0, 1);
  if (type === "pie") return { ...choice, type, x, series: series.slice(0, 1) };
  if (type !== "heat" && type !== "pivot") return { ...choice, type, x, series };
  const names = dimensions(columns, rows);
  const across = names.includes(x) ? x : (names[0] ?? x);
  const split = choice.split && choice.split !== across ? choice.split : names.find((each) => each !== across);
  return {
    ...choice,
    type,
    x: across,
    split: split ?? "",
    series: series.filter((each) => numbers.includes(each)).slice(0, 1),
  };
}

/** The series that share an axis, by their places: those of one unit, the first one's before the others'. */
export function scalesOf(looks: Look[]): number[][] {
  const found = new Map<string, number[]>();
  looks.forEach(({ unit, currency }, place) => {
    const key = `${unit} ${currency}`;
    found.set(key, [...(found.get(key) ?? []), place]);
  });
  return [...found.values()];
}

/** Points from the rows themselves, for axes that a person chose; equal labels are added up. */
export function fromRows(choice: Choice, columns: Column[], rows: Cell[][]): ChartModel {
  const at = (name: string) => placeOf(columns, name);
  const x = at(choice.x);
  const split = choice.type === "pie" || choice.type === "scatter" || choice.split === choice.x ? -1 : at(choice.split);
  const series = choice.series
    .slice(0, MOST_SERIES)
    .map(at)
    .filter((place) => place >= 0);
  const names = dimensions(columns, rows).map(at);
  const named = (row: Cell[]) =>
    names.length ? { name: names.map((place) => String(nameOf(row[place], columns[place]))).join(" · ") } : {};
  const parts = split >= 0 && series.length ? splitBy(columns, rows, x, split, series[0]!) : null;
  const points =
    choice.type === "scatter"
      ? rows.flatMap((row) => {
          const value = toNumber(row[x]);
          return value === null ? [] : [{ x: value, y: series.map((place) => toNumber(row[place])), ...named(row) }];
        })
      : (parts?.points ?? merged(columns, rows, x, series));
  const most = choice.type === "pie" ? MOST_SLICES : MOST_POINTS;
  const shown = choice.type === "pie" ? [...points].sort((a, b) => (b.y[0] ?? 0) - (a.y[0] ?? 0)) : points;
  const drawn = parts ? parts.names.map(() => series[0]!) : series;
  return {
    type: choice.type,
    x: columns[x] ? columnLabel(columns[x]) : choice.x,
    names: parts?.names ?? series.map((place) => columnLabel(columns[place]!)),
    looks: drawn.map((place, nth) =>
      lookOf(
        columns[place],
        points.map((point) => point.y[nth] ?? null),
        !parts && nth > 0 && isComparison(columns[place]!.name),
      ),
    ),
    measure: parts ? columnLabel(columns[series[0]!]!) : "",
    points: bounded(parts ? shown : sorted(choice.type, shown), most, choice.type),
    stacked: choice.stacked,
    cut: points.length > most || (parts?.left ?? 0) > 0,
    open: [],
  };
}

/** One measure by two dimensions: a series for each of the largest values of the second. */
function splitBy(columns: Column[], rows: Cell[][], x: number, split: number, measure: number) {
  const totals = new Map<string, number>();
  for (const row of rows) {
    const name = String(nameOf(row[split], columns[split]));
    totals.set(name, (totals.get(name) ?? 0) + Math.abs(toNumber(row[measure]) ?? 0));
  }
  const names = [...totals.keys()];
  const largest = [...names].sort((a, b) => totals.get(b)! - totals.get(a)!).slice(0, MOST_SERIES);
  const shown = names.filter((name) => largest.includes(name)); // in their own order, so that each keeps its colour
  const places = new Map(shown.map((name, place) => [name, place]));
  const found = new Map<string | number, Point>();
  for (const row of rows) {
    const at = nameOf(row[x], columns[x]);
    const point = found.get(at) ?? { x: at, y: shown.map(() => null) };
    found.set(at, point);
    const place = places.get(String(nameOf(row[split], columns[split])));
    const value = toNumber(row[measure]);
    if (place !== undefined && value !== null) point.y[place] = (point.y[place] ?? 0) + value;
  }
  return { names: shown, points: [...found.values()], left: names.length - shown.length };
}

export type Grid = { columns: string[]; rows: string[]; cells: (number | null)[][]; cut: boolean };
export const MOST_CELLS = 40;

/** One measure by two dimensions as a grid: the first across, the second down. */
export function gridOf(choice: Choice, columns: Column[], rows: Cell[][]): Grid {
  const [x, split, measure] = [choice.x, choice.split, choice.series[0] ?? ""].map((name) => placeOf(columns, name));
  const across = new Map<string, number>();
  const down = new Map<string, number>();
  const cells: (number | null)[][] = [];
  let cut = false;
  const placed = (names: Map<string, number>, name: string) => {
    if (!names.has(name) && names.size < MOST_CELLS) names.set(name, names.size);
    return names.get(name);
  };
  for (const row of rows) {
    const column = placed(across, String(nameOf(row[x!], columns[x!])));
    const line = placed(
      down,
      split! < 0 ? columnLabel(columns[measure!]!) : String(nameOf(row[split!], columns[split!])),
    );
    const value = toNumber(row[measure!]);
    if (column === undefined || line === undefined) cut = true;
    else if (value !== null) (cells[line] ??= [])[column] = (cells[line]?.[column] ?? 0) + value;
  }
  const whole = [...down.keys()].map((_, line) =>
    [...across.keys()].map((__, column) => cells[line]?.[column] ?? null),
  );
  return { columns: [...across.keys()], rows: [...down.keys()], cells: whole, cut };
}

function merged(columns: Column[], rows: Cell[][], x: number, series: number[]): Point[] {
  const found = new Map<string | number, Point>();
  for (const row of rows) {
    const name = nameOf(row[x], columns[x]);
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

/** A goal as people write it: 4,500,000 or 450万; nothing where it is no number. */
export function toGoal(text: string): number | null {
  const found = /^\s*[¥￥$€£]?\s*(-?[\d,，]*\.?\d+)\s*([kKmMbB万亿%％]?)\s*$/.exec(text);
  if (!found) return null;
  const scale = { k: 1e3, m: 1e6, b: 1e9, 万: 1e4, 亿: 1e8, "%": 0.01, "％": 0.01 }[found[2]!.toLowerCase()] ?? 1;
  const value = Number(found[1]!.replace(/[,，]/g, ""));
  return Number.isFinite(value) ? value * scale : null;
}
