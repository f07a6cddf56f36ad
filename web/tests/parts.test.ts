import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { en } from "../src/i18n/en";
import { zh } from "../src/i18n/zh";
import { entryOf, listed, withEntry, withoutEntry } from "../src/knowledge/glossary";
import { readCodes, writeCodes } from "../src/schema/codes";
import { layout } from "../src/schema/layout";
import { plainTable } from "../src/schema/plain_table";

const SOURCES = join(import.meta.dirname, "../src");
const files = readdirSync(SOURCES, { recursive: true, encoding: "utf8" }).filter(
  (name) => /\.(tsx?|css)$/.test(name) && !name.endsWith("schema.d.ts"),
);

describe("the glossary", () => {
  it("renames an entry and keeps what the page does not edit", () => {
    const start = {
      metrics: { revenue: { expression: "SUM(x)", synonyms: ["sales", "销售额"] } },
      joins: [{ on: "a.b = c.d" }],
    };
    const entry = { ...entryOf("metrics", "revenue", start), name: "turnover", synonyms: "sales，销售额、 gmv" };
    const made = withEntry(start, entry, "revenue");
    expect(Object.keys(made.metrics!)).toEqual(["turnover"]);
    expect(made.metrics!.turnover!.synonyms).toEqual(["sales", "销售额", "gmv"]);
    expect(made.joins).toEqual(start.joins);
    expect(withoutEntry(made, "metrics", "turnover").metrics).toEqual({});
    expect(listed(" a,, b ")).toEqual(["a", "b"]);
  });

  it("keeps a measure's time, format and place when its words are edited", () => {
    const revenue = { expression: "SUM(x)", label: { en: "revenue", zh: "销售额" }, time: "orders.ordered_at" };
    const start = { metrics: { revenue: { ...revenue, format: "money" }, orders: { expression: "COUNT(*)" } } };
    const made = withEntry(start, { ...entryOf("metrics", "revenue", start), synonyms: "sales" }, "revenue");
    expect(Object.keys(made.metrics!)).toEqual(["revenue", "orders"]);
    expect(made.metrics!.revenue).toMatchObject({ ...revenue, format: "money", synonyms: ["sales"] });
  });

  it("names a measure in either language", () => {
    const start = { metrics: { revenue: { expression: "SUM(x)", label: { en: "revenue" } } } };
    const made = withEntry(start, { ...entryOf("metrics", "revenue", start), labelZh: " 销售额 " }, "revenue");
    expect(made.metrics!.revenue!.label).toEqual({ en: "revenue", zh: "销售额" });
  });
});

describe("the diagram", () => {
  const join = (left: string, right: string) => ({
    left,
    left_columns: ["x"],
    right,
    right_columns: ["x"],
    declared: true,
    confidence: 1,
    how: "declared" as const,
    found: 0,
    sampled: 0,
    cardinality: "many_to_one" as const,
    condition: null,
  });

  it("lists every column where wanted, those of joins first, and says how many are left out", () => {
    const many = Array.from({ length: 30 }, (_, place) => `c${place}`);
    const [a] = layout(["a", "b"], [join("a", "b")], (name) => (name === "a" ? many : ["x"])).boxes;
    expect([a!.keys[0], a!.keys.length, a!.more]).toEqual(["x", 20, 11]);
    expect(layout(["a", "b"], [join("a", "b")]).boxes.map((box) => [box.keys, box.more])).toEqual([
      [["x"], 0],
      [["x"], 0],
    ]);
  });

  it("puts tables that are pointed at to the right, and no two in one place", () => {
    const { boxes, lines } = layout(
      ["items", "orders", "customers"],
      [join("items", "orders"), join("orders", "customers")],
    );
    const x = Object.fromEntries(boxes.map((box) => [box.name, box.x]));
    expect(x.items!).toBeLessThan(x.orders!);
    expect(x.orders!).toBeLessThan(x.customers!);
    expect(lines).toHaveLength(2);
    expect(boxes.find((box) => box.name === "orders")!.keys).toEqual(["x"]);
  });

  it("lets no box cover another, however many columns its joins have", () => {
    const wide = { ...join("a", "b"), left_columns: ["p", "q", "r", "s"] };
    const { boxes } = layout(["a", "b", "c", "d"], [wide, join("c", "b"), join("d", "b")]);
    const left = boxes.filter((box) => box.x === 0).sort((one, other) => one.y - other.y);
    expect(left).toHaveLength(3);
    for (const [place, box] of left.slice(1).entries())
      expect(box.y).toBeGreaterThanOrEqual(left[place]!.y + left[place]!.height);
  });

  it("ends on cycles, on a table joined to itself and on tables it was not given", () => {
    const { boxes } = layout(["a", "b"], [join("a", "b"), join("b", "a"), join("a", "a"), join("a", "elsewhere")]);
    expect(new Set(boxes.map((box) => `${box.x} ${box.y}`)).size).toBe(2);
  });
});

describe("the texts", () => {
  const leaves = (value: unknown, path = ""): [string, unknown][] =>
    typeof value === "object" && value !== null
      ? Object.entries(value).flatMap(([name, inner]) => leaves(inner, `${path}.${name}`))
      : [[path, value]];

  it("exist in both languages, none empty", () => {
    const [english, chinese] = [leaves(en), leaves(zh)];
    expect(chinese.map(([path]) => path).sort()).toEqual(english.map(([path]) => path).sort());
    for (const [path, text] of [...english, ...chinese]) expect(text, path).toBeTruthy();
  });

  it("are all shown somewhere", () => {
    const text = files
      .filter((name) => !name.startsWith("i18n"))
      .map((name) => readFileSync(join(SOURCES, name), "utf8"))
      .join("\n");
    const named = Object.entries(en).flatMap(([area, texts]) => Object.keys(texts).map((key) => [area, key] as const));
    const shown = ([area, key]: readonly [string, string]) =>
      text.includes(`t.${area}.${key}`) || text.includes(`t.${area}[`);
    expect(named.filter((each) => !shown(each)).map((each) => each.join("."))).toEqual([]);
  });
});

describe("the sources", () => {
  it("never make HTML of text, and name no other host", () => {
    for (const name of files) {
      const text = readFileSync(join(SOURCES, name), "utf8");
      expect(text, name).not.toMatch(
        /dangerouslySetInnerHTML|\.innerHTML|\.outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function/,
      );
      const hosts = [...text.matchAll(/https?:\/\/([^/"'`\s…]+)/g)].map((match) => match[1]);
      expect(
        hosts.filter((host) => host !== "www.w3.org"),
        name,
      ).toEqual([]);
    }
  });
});

describe("the codes of a column", () => {
  it("are read from lines in either language and written back", () => {
    const text = "1 = paid, 已付\n 2=open、未付\n\n3 =\n= nothing";
    const codes = readCodes(text);
    expect(codes).toEqual({ "1": ["paid", "已付"], "2": ["open", "未付"] });
    expect(readCodes(writeCodes(codes))).toEqual(codes);
  });
});

describe("the first look at a database", () => {
  const named = (...tables: string[]) => ({ main: tables.map((table) => ({ table })), notes: [] }) as never;

  it("leaves out the schema that all tables are in", () => {
    expect(plainTable("main.费用", named("main.费用"))).toBe("费用");
    expect(plainTable("shop.orders", named("shop.orders", "log.events"))).toBe("shop.orders");
    expect(plainTable("Invoice", named("Invoice", "Track"))).toBe("Invoice");
  });
});
