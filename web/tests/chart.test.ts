import { describe, expect, it } from "vitest";
import type { ChartSpec, Column } from "../src/api/types";
import {
  areNames,
  axesOf,
  become,
  choiceOf,
  fromRows,
  fromSpec,
  gridOf,
  isDrawnFromRows,
  makesWhole,
  measures,
  MOST_POINTS,
  MOST_SLICES,
  scalesOf,
  sorted,
  tiltOf,
  toGoal,
  toNumber,
  unitOf,
  widthOf,
  withOpen,
  ticksOf,
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
  x_name: "",
  split: "",
  split_name: "",
  measure: "",
  series: [{ key: "revenue", name: "Revenue", format: "", unit: "", compares: false }],
  data: [{ region: "east", revenue: 3 }],
  stacked: false,
  whole: false,
  sums: false,
  open: [],
  language: "en",
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

  it("says what its numbers are, what is compared with, and what a hundred per cent is", () => {
    const made = fromSpec(
      spec({
        type: "area",
        x_name: "月份",
        whole: true,
        series: [
          { key: "revenue", name: "销售额", format: "money", unit: "CNY", compares: false },
          { key: "n", name: "对比期", format: "percent", unit: "", compares: true },
        ],
      }),
    );
    expect(made).toMatchObject({ type: "area", x: "月份", stacked: "full", names: ["销售额", "对比期"] });
    expect(made.looks).toEqual([
      { unit: "money", currency: "CNY", compares: false },
      { unit: "percent", currency: "", compares: true },
    ]);
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
    const made = fromRows(
      { type: "bar", x: "region", series: ["revenue", "orders"], split: "", stacked: "none" },
      columns,
      rows,
    );
    expect(made.points).toEqual([
      { x: "east", y: [12.5, 4] },
      { x: "west", y: [4, 2] },
    ]);
  });

  const COMPARED: Column[] = [
    { name: "month", kind: "text" },
    { name: "revenue", kind: "number", format: "money", unit: "CNY" },
    { name: "revenue_before", kind: "number", format: "money", unit: "CNY" },
    { name: "change", kind: "number", format: "percent" },
  ];
  const MONTHS = [
    ["2026-01", 5, 4, 25],
    ["2026-02", 6, 5, 20],
  ];
  const FIRST = { type: "line", x: "month", split: "", series: ["revenue"], stacked: "none" } as const;

  it("takes its names below it again when it is no scatter chart any more", () => {
    const first = { ...FIRST, series: ["revenue"] };
    const scatter = become("scatter", first, first, COMPARED, MONTHS);
    expect(scatter).toMatchObject({ x: "revenue_before", series: ["revenue"] });
    for (const type of ["line", "bar", "area", "pie"] as const)
      expect(become(type, scatter, first, COMPARED, MONTHS)).toMatchObject({ x: "month", series: ["revenue"] });
    expect(axesOf("line", COMPARED, MONTHS, first)).toEqual(["month"]);
    expect(axesOf("scatter", COMPARED, MONTHS, first)).toEqual(["revenue", "revenue_before", "change"]);
    const years = [{ name: "year", kind: "number" }, COMPARED[1]!];
    expect(axesOf("bar", years, [[2025, 1]], null)).toEqual(["year"]);
    expect(axesOf("bar", COMPARED.slice(1, 3), [[1, 2]], null)).toEqual(["revenue", "revenue_before"]);
  });

  it("has an axis for each unit, and names the points of two numbers", () => {
    const all = fromRows({ ...FIRST, series: ["revenue", "change", "revenue_before"] }, COMPARED, MONTHS);
    expect(scalesOf(all.looks)).toEqual([[0, 2], [1]]);
    const points = fromRows({ ...FIRST, type: "scatter", x: "revenue_before", series: ["revenue"] }, COMPARED, MONTHS);
    expect(points.points).toEqual([
      { x: 4, y: [5], name: "2026-01" },
      { x: 5, y: [6], name: "2026-02" },
    ]);
  });

  it("shows the shares where the question was how large the parts are, and both in a pie", () => {
    const parts: Column[] = [...columns.slice(0, 2), { name: "share", kind: "number", format: "percent" }];
    const shared = [
      ["east", 3, 75],
      ["west", 1, 25],
    ];
    expect(choiceOf(spec({}), parts, shared, "share")).toMatchObject({ type: "bar", x: "region", series: ["share"] });
    expect(choiceOf(spec({ type: "pie" }), parts, shared, "share")).toMatchObject({ series: ["revenue"] });
    expect(choiceOf(spec({}), parts, shared)).toMatchObject({ series: ["revenue"] });
    expect([isDrawnFromRows(spec({}), parts, "share"), isDrawnFromRows(spec({}), parts, "")]).toEqual([true, false]);
  });

  it("is bounded: a pie gathers its rest, a line is thinned", () => {
    const many = Array.from({ length: 500 }, (_, place) => [`r${place}`, 500 - place, 1]);
    const pie = fromRows({ type: "pie", x: "region", series: ["revenue"], split: "", stacked: "none" }, columns, many);
    const line = fromRows(
      { type: "line", x: "region", series: ["revenue"], split: "", stacked: "none" },
      columns,
      many,
    );
    expect(pie.points).toHaveLength(MOST_SLICES);
    expect(pie.points.reduce((sum, point) => sum + point.y[0]!, 0)).toBe((500 * 501) / 2);
    expect(line.points.length).toBeLessThanOrEqual(MOST_POINTS);
    expect(line.cut).toBe(true);
  });

  it("is a pie of what makes a whole: amounts and shares, but neither rates nor averages", () => {
    const column = (name: string, format?: string) => ({ name, kind: "number", ...(format && { format }) }) as Column;
    const whole = (name: string, values: number[], format?: string) => makesWhole(column(name, format), values);
    expect([
      whole("revenue", [5, 3], "money"),
      whole("share", [0.7, 0.3], "fraction"),
      whole("占比", [60, 40]),
    ]).toEqual([true, true, true]);
    expect([whole("return rate", [0.08, 0.04], "fraction"), whole("平均单价", [500, 20], "money")]).toEqual([
      false,
      false,
    ]);
  });

  it("knows names from months and years, of which some may be left out on a line", () => {
    const of = (...places: (string | number)[]) => areNames(places.map((x) => ({ x, y: [1] })));
    expect([of("Cameras", "Home Appliances"), of("华东", "华南")]).toEqual([true, true]);
    expect([of("2026-01", "2026-02"), of(2025, 2026), of("Mon", "Tue"), of("第一周")]).toEqual(Array(4).fill(false));
    expect(widthOf("华东")).toBeGreaterThan(widthOf("east") * 0.8);
  });

  it("has names that can be read one by one, all of them where there is room", () => {
    expect(tiltOf(12, 640)).toEqual({ angle: -35, height: 84, interval: 0 });
    for (const [count, width] of [
      [37, 640],
      [37, 290],
      [15, 290],
      [15, 186],
    ] as const) {
      const { angle, interval } = tiltOf(count, width);
      const between = (width / count) * (interval + 1) * Math.sin((-angle * Math.PI) / 180);
      expect(between).toBeGreaterThanOrEqual(12);
    }
    expect(tiltOf(37, 640).interval).toBe(0);
    expect(tiltOf(15, 186).interval).toBe(0); // all fifteen categories on a phone
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
    expect(sorted("bar", points(["c", 1], ["b", 2], ["a", 3]))[0]!.x).toBe("c"); // the lowest three
  });

  it("takes rates for per cent, amounts for money, and nothing else", () => {
    expect(unitOf("return_rate", [0.04])).toBe("rate");
    expect(unitOf("退货率", [0.04])).toBe("rate");
    expect(unitOf("exchange rate", [7.1])).toBe("plain");
    expect(unitOf("revenue_change_percent", [14.4])).toBe("percent");
    expect(unitOf("销售额", [0.5])).toBe("money");
    expect(unitOf("total revenue", [3])).toBe("money");
    expect(unitOf("sales count", [3])).toBe("plain");
    expect(unitOf("订单数量", [3])).toBe("plain");
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
    const choice = { type: "scatter" as const, x: "region", series: ["revenue"], split: "", stacked: "none" as const };
    expect(fromRows(choice, columns, rows).points).toEqual([]);
  });
});

describe("two dimensions", () => {
  const wide = [
    { name: "month", kind: "text" },
    { name: "channel", kind: "text" },
    { name: "revenue", kind: "number" },
  ];
  const sales = [
    ["2026-01", "web", 5],
    ["2026-01", "store", 3],
    ["2026-02", "web", 7],
  ];

  it("are split into series in their own order, and a gap stays a gap", () => {
    const choice = choiceOf(null, wide, sales)!;
    expect(choice).toMatchObject({ x: "month", split: "channel", series: ["revenue"] });
    const made = fromRows(choice, wide, sales);
    expect(made.names).toEqual(["web", "store"]);
    expect(made.points).toEqual([
      { x: "2026-01", y: [5, 3] },
      { x: "2026-02", y: [7, null] },
    ]);
  });

  it("are known again in the server's chart, whose series are values", () => {
    const drawn = spec({ x: "month", series: [{ key: "web", name: "web" }], data: [{ month: "2026-01", web: 5 }] });
    expect(choiceOf(drawn, wide, sales)).toMatchObject({ split: "channel", series: ["revenue"] });
  });

  it("are told in words, whichever chart a reader chooses", () => {
    const named = [
      { name: "month", kind: "text", label: "月份" },
      { name: "channel", kind: "text", label: "渠道", words: { web: "网站", store: "门店" } },
      { name: "revenue", kind: "number", label: "销售额", format: "money" as const, unit: "CNY" },
    ];
    const made = fromRows(choiceOf(null, named, sales)!, named, sales);
    expect(made).toMatchObject({ x: "月份", names: ["网站", "门店"], measure: "销售额" });
    expect(made.looks[1]).toEqual({ unit: "money", currency: "CNY", compares: false });
    const heat = { type: "heat" as const, x: "month", split: "channel", series: ["revenue"], stacked: "none" as const };
    expect(gridOf(heat, named, sales).rows).toEqual(["网站", "门店"]);
  });

  it("become a grid, whose equal cells are added up", () => {
    const choice = {
      type: "heat" as const,
      x: "month",
      split: "channel",
      series: ["revenue"],
      stacked: "none" as const,
    };
    expect(gridOf(choice, wide, [...sales, ["2026-01", "web", 1]])).toEqual({
      columns: ["2026-01", "2026-02"],
      rows: ["web", "store"],
      cells: [
        [6, 7],
        [3, null],
      ],
      cut: false,
    });
  });
});

describe("the numbers of an axis", () => {
  const of = (...rows: number[][]) => rows.map((y, place) => ({ x: String(place), y }));

  it("are round, and end just beyond the largest", () => {
    expect(ticksOf(of([2_047_295.11], [967_270.63]), false)).toEqual([
      0, 500_000, 1_000_000, 1_500_000, 2_000_000, 2_500_000,
    ]);
    expect(ticksOf(of([0.041], [0.113]), false)).toEqual([0, 0.025, 0.05, 0.075, 0.1, 0.125]);
    expect(ticksOf(of([-30.5], [55]), false)).toEqual([-40, -20, 0, 20, 40, 60]);
  });

  it("are whole where things are counted, add up what stands on each other, and are there for nothing too", () => {
    expect(ticksOf(of([1], [2]), false)).toEqual([0, 1, 2]);
    expect(ticksOf(of([12], [7]), false)).toEqual([0, 5, 10, 15]);
    expect(ticksOf(of([30, 40], [20, 10]), true)).toEqual([0, 20, 40, 60, 80]);
    expect(ticksOf([], false)).toEqual([0, 1]);
  });
});

describe("a goal", () => {
  it("is read as people of both languages write numbers", () => {
    expect(["4,500,000", "450万", "¥4.5M", "1.2亿", "12%", " 3 "].map(toGoal)).toEqual([
      4_500_000, 4_500_000, 4_500_000, 120_000_000, 0.12, 3,
    ]);
    expect(["", "much", "4-5", "1.2.3"].map(toGoal)).toEqual([null, null, null, null]);
  });
});
