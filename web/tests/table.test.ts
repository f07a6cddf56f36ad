import { describe, expect, it } from "vitest";
import type { Column } from "../src/api/types";
import { compareCells, fitted, pagesOf, widths } from "../src/table/window";

describe("the window of a table", () => {
  it("asks for the pages that hold the rows in view", () => {
    expect(pagesOf(0, 20)).toEqual([1]);
    expect(pagesOf(490, 510)).toEqual([1, 2]);
    expect(pagesOf(9_990, 9_999)).toEqual([20]);
    expect(pagesOf(5, 4)).toEqual([]);
  });

  it("gives wide letters their room and bounds every column", () => {
    const [latin, chinese, long] = widths(
      [
        { name: "a", kind: "text" },
        { name: "b", kind: "text" },
        { name: "c", kind: "text" },
      ],
      [["abcdefghij", "一二三四五六七八九十", "x".repeat(5000)]],
      "en",
    );
    expect(chinese!).toBeGreaterThan(latin!);
    expect(long!).toBeLessThanOrEqual(340);
  });
});

describe("a table in a narrow frame", () => {
  const NAMED: Column[] = [
    { name: "c", kind: "text", label: "category" },
    { name: "order_items_return_rate", kind: "number", label: "rate", format: "fraction" },
  ];

  it("is as wide as what is shown, not as what lies behind it", () => {
    const [, rate] = widths(NAMED, [["Toys", 0.030303030303]], "en");
    expect(rate!).toBeLessThan(90);
  });

  it("lets words give way to numbers, and none take more than half of it", () => {
    expect(fitted([250, 120], NAMED, 300)).toEqual([180, 120]);
    expect(fitted([150, 120], NAMED, 300)).toEqual([150, 120]);
    expect(fitted([250, 290], NAMED, 300)).toEqual([150, 290]);
    expect(fitted([250, 290], NAMED, 0)).toEqual([250, 290]);
  });
});

describe("the order of cells", () => {
  it("is by value, however long the number, with nulls last", () => {
    const cells = ["9007199254740993", null, "9007199254740992", "-5", "10.25", "10.3"];
    expect([...cells].sort((a, b) => compareCells(a, b, "en"))).toEqual([
      "-5",
      "10.25",
      "10.3",
      "9007199254740992",
      "9007199254740993",
      null,
    ]);
  });

  it("is by the alphabet for words", () => {
    expect(["pear", "Äpfel", "apple"].sort((a, b) => compareCells(a, b, "en"))[0]).toBe(
      "Äpfel".localeCompare("apple", "en") < 0 ? "Äpfel" : "apple",
    );
    expect(compareCells("item 2", "item 10", "en")).toBeLessThan(0);
  });
});
