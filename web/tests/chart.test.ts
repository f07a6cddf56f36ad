import { describe, expect, it } from "vitest";
import type { ChartSpec } from "../src/api/types";
import {
  choiceOf,
  fromRows,
  fromSpec,
  isRate,
  measures,
  MOST_POINTS,
  MOST_SLICES,
  sorted,
  toNumber,
  withOpen,
} from "../src/chart/model";

const columns = [
  { name: "region", kind: "text" },
  { name: "revenue", kind: "number" },
  { name: "orders", kind: "number" },
];
const rows = [
  ["east", "10.5", 1],
  ["west", 4, 2],
  ["east", 2, 3],
];
const spec = (content: object): ChartSpec => ({
  type: "bar",
  title: "",
  x: "region",
  series: [{ key: "revenue", name: "Revenue" }],
  data: [{ region: "east", revenue: 3 }],
  stacked: false,
  aggregated: false,
  why: "",
  picture: "",
  ...content,
});

describe("the server's chart", () => {
  it("becomes points by place", () => {
    expect(fromSpec(spec({}))).toMatchObject({
      type: "bar",
      x: "region",
      names: ["Revenue"],
      points: [{ x: "east", y: [3] }],
    });
  });

  it("may name its columns anything, and hold anything", () => {
    const made = fromSpec(
      spec({
        type: "javascript:alert(1)",
        x: "__proto__",
        series: [{ key: "constructor", name: "<script>" }],
        data: [{ a: 1 }],
      }),
    );
    expect(made).toMatchObject({ type: "bar", names: ["<script>"], points: [{ x: "∅", y: [null] }] });
    expect(fromSpec(spec({ series: null, data: "no list" })).points).toEqual([]);
  });
});

describe("a chart that a person chose", () => {
  it("adds up equal labels and reads decimals that came as strings", () => {
    const made = fromRows({ type: "bar", x: "region", series: ["revenue", "orders"], stacked: false }, columns, rows);
    expect(made.points).toEqual([
      { x: "east", y: [12.5, 4] },
      { x: "west", y: [4, 2] },
    ]);
  });

  it("is bounded: a pie gathers its rest, a line is thinned", () => {
    const many = Array.from({ length: 500 }, (_, place) => [`r${place}`, 500 - place, 1]);
    const pie = fromRows({ type: "pie", x: "region", series: ["revenue"], stacked: false }, columns, many);
    const line = fromRows({ type: "line", x: "region", series: ["revenue"], stacked: false }, columns, many);
    expect(pie.points).toHaveLength(MOST_SLICES);
    expect(pie.points.reduce((sum, point) => sum + point.y[0]!, 0)).toBe((500 * 501) / 2);
    expect(line.points.length).toBeLessThanOrEqual(MOST_POINTS);
    expect(line.cut).toBe(true);
  });

  it("offers numbers as series and the first other column as axis", () => {
    expect(measures(columns, rows)).toEqual(["revenue", "orders"]);
    expect(choiceOf(null, columns, rows)).toMatchObject({ x: "region", series: ["revenue"], type: "bar" });
    expect(choiceOf(null, columns, rows.slice(0, 1))).toBeNull();
  });

  it("takes only plain numbers for numbers", () => {
    expect([
      toNumber("1e3"),
      toNumber("0x10"),
      toNumber(""),
      toNumber(null),
      toNumber(Number.NaN),
      toNumber("12 apples"),
    ]).toEqual([1000, null, null, null, null, null]);
  });
});

describe("what a chart tells", () => {
  const points = (...pairs: [string, number][]) => pairs.map(([x, y]) => ({ x, y: [y] }));

  it("sorts bars of names by value, and keeps an order that the names have", () => {
    expect(sorted("bar", points(["a", 1], ["b", 3])).map((point) => point.x)).toEqual(["b", "a"]);
    for (const names of [
      ["Mon", "Tue"],
      ["2025-01", "2025-02"],
      ["一月", "二月"],
      ["Q1", "Q2"],
    ])
      expect(sorted("bar", points([names[0]!, 1], [names[1]!, 3]))[0]!.x).toBe(names[0]);
    expect(sorted("line", points(["a", 1], ["b", 3]))[0]!.x).toBe("a");
  });

  it("takes rates for per cent, and nothing else", () => {
    expect(isRate({ names: ["return_rate"], points: points(["a", 0.04]) })).toBe(true);
    expect(isRate({ names: ["退货率"], points: points(["a", 0.04]) })).toBe(true);
    expect(isRate({ names: ["exchange rate"], points: points(["a", 7.1]) })).toBe(false);
    expect(isRate({ names: ["revenue"], points: points(["a", 0.5]) })).toBe(false);
  });

  it("marks the period that is not over", () => {
    const model = fromSpec(
      spec({
        type: "line",
        data: [
          { region: "2026-10", revenue: 3 },
          { region: "2026-11", revenue: 1 },
        ],
      }),
    );
    expect(withOpen(model, ["2026-11"]).open).toEqual([false, true]);
  });

  it("draws no point of a scatter whose axis is not a number", () => {
    const choice = { type: "scatter" as const, x: "region", series: ["revenue"], stacked: false };
    expect(fromRows(choice, columns, rows).points).toEqual([]);
  });
});
