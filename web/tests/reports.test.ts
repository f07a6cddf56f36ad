import { describe, expect, it } from "vitest";
import { tellChange } from "../src/reports/change";
import { en } from "../src/i18n/en";
import { zh } from "../src/i18n/zh";
import { addressesOf, placeholderOf } from "../src/reports/written";

describe("what a person puts into a report", () => {
  it("is a placeholder that nothing in the question can end", () => {
    expect(placeholderOf("chart", "revenue by month")).toBe("{{chart: revenue by month}}");
    expect(placeholderOf("value", "a }} | b\n{{ c")).toBe("{{value: a b c}}");
    expect(placeholderOf("table", "各渠道销售额")).toBe("{{table: 各渠道销售额}}");
  });

  it("is mailed to addresses as people write them", () => {
    expect(addressesOf(" ann@shop.example, 李@商店.example；bob@shop.example\n")).toEqual([
      "ann@shop.example",
      "李@商店.example",
      "bob@shop.example",
    ]);
    expect(addressesOf("")).toEqual([]);
  });
});

describe("what changed since the last run", () => {
  it("is told in words, never as a statement or a code", () => {
    expect(tellChange({ kind: "value", before: 200, after: 250, rate: 0.25 }, en, "en")).toBe("200 → 250 (+25%)");
    expect(tellChange({ kind: "status", before: "solved", after: "doubtful" }, zh, "zh")).toBe("已得到 → 未确认");
    expect(tellChange({ kind: "rows", before: 1, after: 1200 }, en, "en")).toBe("1 row → 1,200 rows");
    expect(tellChange({ kind: "rows", before: 4, after: 4 }, zh, "zh")).toBe("数据有变");
    expect(tellChange({ kind: "added", after: 10 }, zh, "zh")).toBe("新增");
    expect(tellChange({ kind: "sql", before: "SELECT 1", after: "SELECT 2" }, en, "en")).toBe("asked in another way");
  });
});
