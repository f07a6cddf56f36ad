import { describe, expect, it } from "vitest";
import { spread, tokens } from "../src/answer/sql_text";

describe("SQL in colours", () => {
  it("loses no character, not even of broken text", () => {
    for (const sql of [
      "SELECT 'it''s' -- x\n, \"a b\" FROM `t` /* open",
      "SELECT 名称 FROM 表 WHERE x = 'unclosed",
      "",
      "🙂 <script>",
    ])
      expect(
        tokens(sql)
          .map((token) => token.text)
          .join(""),
      ).toBe(sql);
  });

  it("knows words from strings and comments", () => {
    const kinds = tokens("SELECT 'from' -- where")
      .filter((token) => token.kind !== "space")
      .map((token) => token.kind);
    expect(kinds).toEqual(["keyword", "string", "comment"]);
  });
});

describe("a statement on several lines", () => {
  it("begins each clause anew, outside parentheses and strings only", () => {
    const sql =
      "SELECT a, (SELECT MAX(b) FROM t) AS m FROM s LEFT JOIN t ON t.id = s.id WHERE a = 'x from y' AND b BETWEEN 1 AND 2 AND c = 3 GROUP BY a";
    expect(spread(sql)).toBe(
      "SELECT a, (SELECT MAX(b) FROM t) AS m\nFROM s\nLEFT JOIN t ON t.id = s.id\nWHERE a = 'x from y'\n  AND b BETWEEN 1 AND 2\n  AND c = 3\nGROUP BY a",
    );
  });

  it("keeps the shape that somebody gave it", () => {
    expect(spread("SELECT 1\nFROM t")).toBe("SELECT 1\nFROM t");
  });
});
