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

  it("shows each step of a long statement, and a wide list item by item", () => {
    const sql =
      "WITH parts AS (SELECT channel, SUM(CASE WHEN a = 1 AND b = 2 THEN amount END) AS v FROM orders WHERE day >= '2026-01-01' AND day < '2027-01-01' GROUP BY channel), whole AS (SELECT SUM(v) AS t FROM parts) SELECT parts.channel AS the_channel_of_the_order, parts.v AS the_revenue_of_the_channel, parts.v / whole.t AS the_share_of_the_channel FROM parts CROSS JOIN whole UNION ALL SELECT 1, 2, (3";
    expect(spread(sql)).toBe(
      [
        "WITH parts AS (",
        "  SELECT channel, SUM(CASE WHEN a = 1 AND b = 2 THEN amount END) AS v",
        "  FROM orders",
        "  WHERE day >= '2026-01-01'",
        "    AND day < '2027-01-01'",
        "  GROUP BY channel",
        "), whole AS (SELECT SUM(v) AS t FROM parts)",
        "SELECT parts.channel AS the_channel_of_the_order,",
        "  parts.v AS the_revenue_of_the_channel,",
        "  parts.v / whole.t AS the_share_of_the_channel",
        "FROM parts",
        "CROSS JOIN whole",
        "UNION ALL",
        "SELECT 1, 2, (3",
      ].join("\n"),
    );
  });

  it("loses no word and no sign", () => {
    const bare = (text: string) => text.replace(/\s+/g, "");
    for (const sql of [
      "SELECT a,b FROM t WHERE x IN (1,2) AND (y OR z)",
      "with a as (select 1) select ')' from a",
      ") (",
    ])
      expect(bare(spread(sql))).toBe(bare(sql));
  });

  it("keeps the shape that somebody gave it", () => {
    expect(spread("SELECT 1\nFROM t")).toBe("SELECT 1\nFROM t");
  });
});
