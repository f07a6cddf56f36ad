import { describe, expect, it } from "vitest";
import type { Answer, SqlResult } from "../src/api/types";
import { correctedTurn, newTurn, type Turn } from "../src/chat/turn";
import { standIn } from "./browser";

standIn();
const { asMarkdown, asNotebook } = await import("../src/chat/export");

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

const taken = (turns: Turn[], language: "en" | "zh" = "en") => ({
  title: "Orders",
  turns,
  database: () => "demo",
  language,
});

describe("a conversation that is taken along", () => {
  it("is Markdown in which data is no markup, under the words and in the forms of the page", () => {
    const text = asMarkdown(taken([turn]));
    expect(text).toContain("# Orders\n\n## How many in Beijing?\n\ndemo\n\nThere are 2.");
    expect(text).toContain(
      "| a\\|b | Revenue |\n| --- | ---: |\n| x \\| \\<b\\>y\\</b\\> z | ¥17,798,261.03 |\n|  | ¥2.00 |",
    );
    expect(text).toContain("… 58");
  });

  it("says when and of which database it was asked, how it was read, by which definition, and how sure that is", () => {
    const part = (kind: string, text: string) => ({ kind, text, changes: [] });
    const answer = {
      grade: "check",
      warnings: [],
      reading: {
        parts: [
          part("measure", "revenue"),
          part("definition", "Revenue is *paid* orders"),
          part("ignored", "roughly"),
          part("database", "demo"),
        ],
        ignored: ["roughly"],
      },
    } as unknown as Answer;
    const heard = { first: "2026-11-20T01:02:03Z", last: "2026-11-20T01:02:04Z" };
    const cache = { level: "exact" as const, as_of: "2026-11-19T12:00:00Z" };
    const text = asMarkdown(taken([{ ...turn, answer, heard, cache }]));
    expect(text).toMatch(/Beijing\?\n\nNov \d+, 2026, .* · demo · \*\*Please check\*\*\n\nThere are 2\./);
    expect(text).toContain(
      "- Measure: revenue\n- Definition: Revenue is \\*paid\\* orders\n- Not used in this answer: “roughly”",
    );
    expect(text).toContain("From cache, as of Nov 19, 2026");
    expect(asMarkdown(taken([{ ...turn, answer, heard }], "zh"))).toMatch(/demo · \*\*请核对\*\*[^]*- 指标：revenue/);
  });

  it("has what a person put right in place of the first answer", () => {
    const result = {
      result_id: "r",
      columns: [{ name: "n", kind: "number" }],
      rows: [[7]],
      row_count: 1,
      truncated: null,
    };
    const first = {
      ...turn,
      answer: { sql: "SELECT 2", warnings: ["Mind the gap"], grade: "check", reading: {} } as unknown as Answer,
    };
    const put = { sql: "SELECT 7 AS n", result: { ...result, chart: null } as unknown as SqlResult };
    const text = asMarkdown(taken([correctedTurn(first, put)]));
    expect([text.includes("| 7 |"), text.includes("SELECT 7 AS n")]).toEqual([true, true]);
    expect(
      ["There are 2.", "SELECT 2", "17,798,261", "Mind the gap", "Please check"].filter((old) => text.includes(old)),
    ).toEqual([]);
  });

  type Book = { nbformat: number; cells: { cell_type: string; source: string[] }[] };
  const bookOf = (turns: Turn[], language: "en" | "zh" = "en") =>
    JSON.parse(asNotebook(taken(turns, language))) as Book;
  const codeOf = (book: Book) =>
    book.cells.filter((each) => each.cell_type === "code").map((each) => each.source.join(""));

  it("is a notebook that asks again in one thread, with the statement beside it and the rows as a frame", () => {
    const book = bookOf([
      { ...turn, answer: { sql: "SELECT 2", warnings: [], reading: {} } as unknown as Answer },
      turn,
    ]);
    expect(book.nbformat).toBe(4);
    const [connecting, ...asked] = codeOf(book);
    expect(connecting).toContain('database = "demo"');
    expect(connecting).toContain("thread_id = str(uuid.uuid4())");
    expect(asked).toHaveLength(2);
    for (const code of asked)
      expect(code.split("\n")).toEqual([
        'answer = inquery.ask("How many\\nin Beijing?", thread_id=thread_id)',
        "frame = answer.frame(labels=True)",
        "answer",
      ]);
    expect(book.cells[2]!.source.join("")).toContain("```sql\nSELECT 2\n```");
  });

  it("is a notebook that says in both languages what to fill in, and gives the replies that were given", () => {
    const replied = { ...turn, replied: "stores in Beijing" };
    expect(codeOf(bookOf([replied]))[1]).toContain(
      'if answer.status == "clarification":\n    answer = inquery.ask("stores in Beijing", thread_id=thread_id)',
    );
    expect(codeOf(bookOf([turn]))[0]).toContain("write the address or the file of the database in this cell");
    expect(codeOf(bookOf([turn], "zh"))[0]).toContain("请在本单元格中写明数据库的地址或文件");
    const failed = { ...turn, failure: { code: "refused", message: "No.", retryable: false } };
    expect(codeOf(bookOf([failed]))).toHaveLength(1);
  });
});
