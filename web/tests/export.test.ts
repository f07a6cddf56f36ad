import { describe, expect, it } from "vitest";
import type { Answer, SqlResult } from "../src/api/types";
import { asMarkdown, asNotebook } from "../src/chat/export";
import { correctedTurn, newTurn } from "../src/chat/turn";

const turn = {
  ...newTurn("1", "How many\nin Beijing?"),
  phase: "done" as const,
  streamed: "There are 2.",
  result: {
    id: null,
    columns: [
      { name: "a|b", kind: "text" },
      { name: "revenue", kind: "number", label: "Revenue", format: "money" as const, unit: "CNY" },
    ],
    rows: [
      ["x | <b>y</b>\nz", 17798261.030000426],
      [null, 2],
    ],
    rowCount: 60,
    truncated: null,
  },
};

describe("a conversation that is taken along", () => {
  it("is Markdown in which data is no markup, under the words and in the forms of the page", () => {
    const text = asMarkdown("Orders", [turn], "en");
    expect(text).toContain("# Orders\n\n## How many in Beijing?\n\nThere are 2.");
    expect(text).toContain(
      "| a\\|b | Revenue |\n| --- | ---: |\n| x \\| \\<b\\>y\\</b\\> z | ¥17,798,261.03 |\n|  | ¥2.00 |",
    );
    expect(text).toContain("… 58");
  });

  it("has what a person put right in place of the first answer", () => {
    const result = {
      result_id: "r",
      columns: [{ name: "n", kind: "number" }],
      rows: [[7]],
      row_count: 1,
      truncated: null,
    };
    const first = { ...turn, answer: { sql: "SELECT 2", warnings: ["Mind the gap"] } as unknown as Answer };
    const put = { sql: "SELECT 7 AS n", result: { ...result, chart: null } as unknown as SqlResult };
    const text = asMarkdown("Orders", [correctedTurn(first, put)], "en");
    expect([text.includes("| 7 |"), text.includes("SELECT 7 AS n")]).toEqual([true, true]);
    expect(["There are 2.", "SELECT 2", "17,798,261", "Mind the gap"].filter((old) => text.includes(old))).toEqual([]);
  });

  it("is a notebook that asks again", () => {
    const book = JSON.parse(asNotebook("Orders", [turn], "demo", "en")) as {
      nbformat: number;
      cells: { source: string[] }[];
    };
    expect(book.nbformat).toBe(4);
    const code = book.cells.map((each) => each.source.join("")).join("\n");
    expect(code).toContain('Inquery.connect("demo")');
    expect(code).toContain('inquery.ask("How many\\nin Beijing?")');
  });
});
