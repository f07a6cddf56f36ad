import type { Cell, Column } from "../api/types";
import type { Language } from "../app/preferences";
import { alignmentOf, columnLabel, plainCell, tellCell } from "../i18n/format";

export const PAGE = 500;
const NARROWEST = 72;
const WIDEST = 340;
const LETTER = 7.6;
const WIDE_LETTER = 14;
const MEASURED_ROWS = 40;

/** The pages that hold the rows from first to last, counted from 1. */
export function pagesOf(first: number, last: number, size = PAGE): number[] {
  if (last < first || first < 0) return [];
  const pages: number[] = [];
  for (let page = Math.floor(first / size) + 1; page <= Math.floor(last / size) + 1; page += 1) pages.push(page);
  return pages;
}

/** About how wide a cell's text is drawn. */
export function breadth(text: string): number {
  let sum = 0;
  for (const letter of text.slice(0, 60)) sum += letter.codePointAt(0)! > 0x2e7f ? WIDE_LETTER : LETTER;
  return sum;
}

/** Widths by what the first rows show, so that columns do not jump while the table is scrolled. */
export function widths(columns: Column[], rows: Cell[][], language: Language): number[] {
  return columns.map((column, place) => {
    const aligned = alignmentOf(rows, place);
    const shown = rows
      .slice(0, MEASURED_ROWS)
      .map((row) => breadth(tellCell(row[place] ?? null, column, language, aligned)));
    return Math.round(
      Math.min(WIDEST, Math.max(NARROWEST, breadth(columnLabel(column)) + 26, ...shown.map((width) => width + 26))),
    );
  });
}

const LEAST_TEXT = 110;

/**
 * The widths in a frame of that room: where they do not fit, words give way to the numbers behind them, for a cut name can
 * still be known and a cut number cannot. Where that is not enough, none takes more than half of the room.
 */
export function fitted(sizes: number[], columns: Column[], room: number): number[] {
  const isText = (place: number) => columns[place]?.kind !== "number";
  const over = sizes.reduce((sum, size) => sum + size, 0) - room;
  if (room <= 0 || over <= 0) return sizes;
  const spare = sizes.map((size, place) => (isText(place) ? Math.max(0, size - LEAST_TEXT) : 0));
  const all = spare.reduce((sum, each) => sum + each, 0);
  if (all >= over) return sizes.map((size, place) => Math.floor(size - (spare[place]! / all) * over));
  const most = Math.max(LEAST_TEXT, Math.floor(room / 2));
  return sizes.map((size, place) => (isText(place) ? Math.min(size, most) : size));
}

const DIGITS = /^-?\d+(\.\d+)?$/;

/** Orders two cells: nulls last, numbers by value however long, other things by the reader's alphabet. */
export function compareCells(a: Cell, b: Cell, language: Language): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  if (typeof a === "number" && typeof b === "number") return a - b;
  const [left, right] = [plainCell(a), plainCell(b)];
  if (DIGITS.test(left) && DIGITS.test(right)) return compareDigits(left, right);
  return left.localeCompare(right, language, { numeric: true });
}

function compareDigits(a: string, b: string): number {
  const [wholeA, partA = ""] = a.split(".");
  const [wholeB, partB = ""] = b.split(".");
  const places = Math.max(partA.length, partB.length);
  const difference = BigInt(wholeA + partA.padEnd(places, "0")) - BigInt(wholeB + partB.padEnd(places, "0"));
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}
