import { describe, expect, it } from "vitest";
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
