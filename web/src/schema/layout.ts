import type { Join } from "../api/types";

/** `keys` are the columns that are shown, each on a line of its own; `more` are left out. */
export type Box = { name: string; keys: string[]; more: number; x: number; y: number; width: number; height: number };
export type Line = { from: string; to: string; label: string; path: string; declared: boolean };
export type Layout = { boxes: Box[]; lines: Line[]; width: number; height: number };

export const WIDTH = 196;
export const HEIGHT = 56;
const GAP_X = 92;
const GAP_Y = 26;
const TALLEST = 7;
export const LINE = 17;
const MOST_KEYS = 8;
const MOST_COLUMNS = 20;

/**
 * Tables in columns: one that many point at stands to the right of those that point. Each table's column is the longest
 * chain of references behind it, cycles cut at the table first met; within a column tables follow their neighbours.
 * With `columnsOf` all columns are shown, those that joins go by first; without it only those.
 */
export function layout(names: string[], joins: Join[], columnsOf?: (name: string) => string[]): Layout {
  const known = new Set(names);
  const links = joins.filter((join) => known.has(join.left) && known.has(join.right));
  const columns = spreadTall(ranked(names, links));
  for (let round = 0; round < 4; round += 1) columns.forEach((column, place) => settle(column, columns, place, links));
  const listed = new Map(
    names.map((name) => [name, [...new Set([...keysOf(name, links), ...(columnsOf?.(name) ?? [])])]]),
  );
  const most = columnsOf ? MOST_COLUMNS : MOST_KEYS;
  const keys = new Map([...listed].map(([name, all]) => [name, all.slice(0, most)]));
  const left = (name: string) => (columnsOf ? listed.get(name)!.length - keys.get(name)!.length : 0);
  const tall = (name: string) => HEIGHT + (keys.get(name)!.length + (left(name) ? 1 : 0)) * LINE;
  const heightOf = (column: string[]) => column.reduce((sum, name) => sum + tall(name) + GAP_Y, -GAP_Y);
  const tallest = Math.max(HEIGHT, ...columns.map(heightOf));
  const boxes = columns.flatMap((column, place) => {
    let y = (tallest - heightOf(column)) / 2;
    return column.map((name) => {
      const x = place * (WIDTH + GAP_X);
      const box = { name, keys: keys.get(name)!, more: left(name), x, y, width: WIDTH, height: tall(name) };
      y += box.height + GAP_Y;
      return box;
    });
  });
  const at = new Map(boxes.map((box) => [box.name, box]));
  const lines = links.map((join) => ({
    from: join.left,
    to: join.right,
    label: `${join.left_columns.join("+")} = ${join.right_columns.join("+")}`,
    path: curve(at.get(join.left)!, at.get(join.right)!, join),
    declared: join.declared,
  }));
  return { boxes, lines, width: columns.length * (WIDTH + GAP_X) - GAP_X, height: tallest };
}

function keysOf(name: string, links: Join[]): string[] {
  const found = links.flatMap((join) => [
    ...(join.left === name ? join.left_columns : []),
    ...(join.right === name ? join.right_columns : []),
  ]);
  return [...new Set(found)];
}

/** The middle of the line that a column stands on; of one that is not shown the middle of the box. */
function levelOf(box: Box, column: string | undefined): number {
  const place = box.keys.indexOf(column ?? "");
  return place < 0 ? box.y + box.height / 2 : box.y + HEIGHT + (place + 0.5) * LINE - 6;
}

function ranked(names: string[], links: Join[]): string[][] {
  const depth = new Map<string, number>();
  const visit = (name: string, path: Set<string>): number => {
    const kept = depth.get(name);
    if (kept !== undefined) return kept;
    if (path.has(name)) return 0;
    path.add(name);
    const behind = links
      .filter((join) => join.right === name && join.left !== name)
      .map((join) => visit(join.left, path) + 1);
    path.delete(name);
    const found = Math.max(0, ...behind);
    depth.set(name, found);
    return found;
  };
  const columns: string[][] = [];
  for (const name of names) {
    const place = visit(name, new Set());
    while (columns.length <= place) columns.push([]);
    columns[place]!.push(name);
  }
  return columns.filter((column) => column.length);
}

const spreadTall = (columns: string[][]): string[][] =>
  columns.flatMap((column) =>
    Array.from({ length: Math.ceil(column.length / TALLEST) }, (_, part) =>
      column.slice(part * TALLEST, (part + 1) * TALLEST),
    ),
  );

/** Orders a column by the middle of what its tables are joined to. */
function settle(column: string[], columns: string[][], place: number, links: Join[]): void {
  const height = new Map<string, number>();
  columns.forEach(
    (other, index) => index !== place && other.forEach((name, row) => height.set(name, row - other.length / 2)),
  );
  const middle = new Map(
    column.map((name, row) => {
      const near = links
        .flatMap((join) => (join.left === name ? [join.right] : join.right === name ? [join.left] : []))
        .map((other) => height.get(other))
        .filter((row) => row !== undefined);
      return [
        name,
        near.length ? near.reduce((sum, row) => sum + row, 0) / near.length : row - column.length / 2,
      ] as const;
    }),
  );
  column.sort((a, b) => middle.get(a)! - middle.get(b)! || a.localeCompare(b));
}

function curve(from: Box, to: Box, join: Join): string {
  const [y1, y2] = [levelOf(from, join.left_columns[0]), levelOf(to, join.right_columns[0])];
  if (from === to) return `M ${from.x + from.width} ${y1 - 8} c 34 -6 34 22 0 16`;
  const forward = to.x > from.x;
  const x1 = forward ? from.x + from.width : from.x;
  const x2 = forward ? to.x : to.x + to.width;
  if (to.x === from.x)
    return `M ${from.x + from.width} ${y1} C ${from.x + from.width + 46} ${y1} ${to.x + to.width + 46} ${y2} ${to.x + to.width} ${y2}`;
  const bend = Math.max(36, Math.abs(x2 - x1) / 2) * (forward ? 1 : -1);
  return `M ${x1} ${y1} C ${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
}
