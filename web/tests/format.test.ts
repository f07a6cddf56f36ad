import { describe, expect, it } from "vitest";
import {
  LONGEST_SHOWN,
  alignmentOf,
  columnLabel,
  formatCell,
  formatDate,
  formatDigits,
  formatSeconds,
  formatShort,
  plainCell,
  tellCell,
} from "../src/i18n/format";

describe("numbers", () => {
  it("keep every digit when they come as strings", () => {
    expect(formatDigits("9223372036854775807", "en")).toBe("9,223,372,036,854,775,807");
    expect(formatDigits("-12345678901234567890.12345678901234567890", "en")).toBe(
      "-12,345,678,901,234,567,890.12345678901234567890",
    );
    expect(formatDigits("-0.10", "en")).toBe("-0.10");
    expect(formatDigits("not a number", "en")).toBe("not a number");
  });

  it("are grouped, except where they name something", () => {
    expect(formatCell(1234567.891, "number", "revenue", "en")).toBe("1,234,567.89");
    expect(formatCell(2024, "number", "year", "en")).toBe("2024");
    expect(formatCell(2024, "number", "年份", "zh")).toBe("2024");
    expect(formatCell(2024, "number", "去年", "zh")).toBe("2,024");
    expect(formatCell("9007199254740993", "number", "order_id", "en")).toBe("9007199254740993");
  });

  it("are not rounded away, and share their decimals in a column", () => {
    expect(formatCell(0.0042, "number", "rate", "en")).toBe("0.0042");
    const rows = [
      [10427300.1, 0.5],
      [5327903.08, 2],
      [12, null],
    ];
    expect([alignmentOf(rows, 0), alignmentOf(rows, 1)]).toEqual([2, 1]);
    expect(formatCell(12, "number", "revenue", "en", 2)).toBe("12.00");
    expect(formatCell(10427300.1, "number", "revenue", "en", 2)).toBe("10,427,300.10");
    expect(formatCell(0.00001, "number", "rate", "en", 2)).toBe("0.00001");
    expect(alignmentOf([[1], ["2.5"], [null]], 0)).toBe(0);
  });

  it("are short on axes, in the reader's units", () => {
    expect(formatShort(12_000_000, "en")).toBe("12M");
    expect(formatShort(12_000_000, "zh")).toBe("1,200万");
    expect([formatShort(3634.2, "zh"), formatShort(3634.2, "en", 2)]).toEqual(["3,634.2", "3.63K"]);
    expect([formatSeconds(340, "en"), formatSeconds(1520, "zh")]).toEqual(["340 ms", "1.5 秒"]);
  });
});

describe("dates", () => {
  it("follow the language and are never moved to another zone", () => {
    expect(formatDate("2024-01-31", "en")).toBe("Jan 31, 2024");
    expect(formatDate("2024-01-31", "zh")).toBe("2024/1/31");
    expect(formatDate("2024-01-31T23:59:00", "en")).toContain("23:59");
    expect(formatDate("2024-01-31 23:59:00+08:00", "en")).toContain("+08:00");
    expect(formatDate("2024-W05", "en")).toBe("2024-W05");
  });

  it("have seconds in a whole column or not at all", () => {
    const rows = [["2026-11-15 01:04:34"], ["2026-11-15 07:53:00"], ["2026-11-15 00:00:00"]];
    const told = (cells: string[][]) =>
      cells.map(([cell]) => formatCell(cell!, "datetime", "ordered_at", "en", alignmentOf(cells, 0)).slice(-8));
    expect(told(rows)).toEqual(["01:04:34", "07:53:00", "00:00:00"]);
    expect(told(rows.slice(1))).toEqual(["6, 07:53", "15, 2026"]);
  });
});

describe("other cells", () => {
  it("are cut when long and told in full when asked", () => {
    const long = "x".repeat(1_000_000);
    expect(formatCell(long, "text", "note", "en").length).toBe(LONGEST_SHOWN + 1);
    expect(plainCell(long)).toBe(long);
    expect(plainCell({ a: [1, null] })).toBe('{"a":[1,null]}');
  });

  it("stay text, whatever they look like", () => {
    const cell = '<img src=x onerror="alert(1)">';
    expect(formatCell(cell, "text", "name", "en")).toBe(cell);
  });
});

describe("a column that says how it is told", () => {
  const column = (more: object) => ({ name: "x", kind: "number", ...more });

  it("has words for codes, a currency for amounts, and per cent for shares", () => {
    expect(tellCell("east", column({ words: { east: "华东" } }), "zh")).toBe("华东");
    expect(tellCell(1234.5, column({ format: "money", unit: "CNY" }), "en")).toBe("¥1,234.50");
    expect(tellCell(1234, column({ format: "money", unit: "CNY" }), "en")).toBe("¥1,234");
    expect(tellCell(1234, column({ format: "money", unit: "CNY" }), "en", 1)).toBe("¥1,234.00");
    expect(tellCell(1234.5, column({ format: "money", unit: "JPY" }), "en", 1)).toBe("¥1,235");
    expect(tellCell(0.143, column({ format: "fraction" }), "en")).toBe("14.3%");
    expect(tellCell(14.3, column({ format: "percent" }), "en")).toBe("14.3%");
    expect(tellCell(25.476, column({ format: "percent" }), "zh")).toBe("25.48%");
    expect([0.27, 0.2708].map((cell) => tellCell(cell, column({ format: "fraction" }), "en", 2))).toEqual([
      "27.00%",
      "27.08%",
    ]);
    expect(tellCell(14.3, column({}), "en")).toBe("14.3");
    expect([columnLabel(column({ label: "销售额" })), columnLabel(column({}))]).toEqual(["销售额", "x"]);
  });
});
