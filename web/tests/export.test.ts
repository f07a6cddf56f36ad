import { describe, expect, it } from "vitest";
import { asMarkdown, asNotebook } from "../src/chat/export";
import { newTurn } from "../src/chat/turn";

const turn = {
  ...newTurn("1", "How many\nin Beijing?"),
  phase: "done" as const,
  streamed: "There are 2.",
  result: {
    id: null,
    columns: [{ name: "a|b", kind: "text" }],
    rows: [["x | <b>y</b>\nz"], [null]],
    rowCount: 60,
    truncated: null,
  },
};

describe("a conversation that is taken along", () => {
  it("is Markdown in which data is no markup", () => {
    const text = asMarkdown("Orders", [turn]);
    expect(text).toContain("# Orders\n\n## How many in Beijing?\n\nThere are 2.");
    expect(text).toContain("| a\\|b |\n| --- |\n| x \\| \\<b\\>y\\</b\\> z |\n|  |");
    expect(text).toContain("… 58");
  });

  it("is a notebook that asks again", () => {
    const book = JSON.parse(asNotebook("Orders", [turn], "demo")) as {
      nbformat: number;
      cells: { source: string[] }[];
    };
    expect(book.nbformat).toBe(4);
    const code = book.cells.map((each) => each.source.join("")).join("\n");
    expect(code).toContain('Inquery.connect("demo")');
    expect(code).toContain('inquery.ask("How many\\nin Beijing?")');
  });
});
