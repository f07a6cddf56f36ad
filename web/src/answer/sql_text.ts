export type Token = {
  kind: "keyword" | "string" | "number" | "comment" | "name" | "punctuation" | "space";
  text: string;
};

const KEYWORDS = new Set(
  "select from where group by having order limit offset join left right inner outer full cross on using as and or not in is null like ilike between case when then else end distinct union all except intersect with recursive over partition rows range exists asc desc true false interval cast fetch first next only qualify window lateral filter preceding following unbounded current row values".split(
    " ",
  ),
);
const FORMS: [Token["kind"], RegExp][] = [
  ["space", /\s+/y],
  ["comment", /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/y],
  ["string", /'(?:[^']|'')*(?:'|$)/y],
  ["name", /"(?:[^"]|"")*(?:"|$)|`[^`]*(?:`|$)|\[[^\]\n]*\]/y],
  ["number", /\d+(?:\.\d+)?(?:e[+-]?\d+)?/iy],
  ["name", /[\p{L}_][\p{L}\p{N}_$]*/uy],
  ["punctuation", /[\s\S]/y],
];

/** SQL cut into coloured pieces; every character is in exactly one of them. */
export function tokens(sql: string): Token[] {
  const found: Token[] = [];
  for (let at = 0; at < sql.length;) {
    for (const [kind, form] of FORMS) {
      form.lastIndex = at;
      const text = form.exec(sql)?.[0];
      if (!text) continue;
      found.push({ kind: kind === "name" && KEYWORDS.has(text.toLowerCase()) ? "keyword" : kind, text });
      at += text.length;
      break;
    }
  }
  return found;
}

const LINE_STARTS = new Set([
  "select",
  "from",
  "where",
  "group",
  "having",
  "order",
  "limit",
  "union",
  "except",
  "intersect",
  "qualify",
  "window",
]);
const JOINS = new Set(["join", "left", "right", "inner", "full", "cross"]);

/** One clause a line outside parentheses, for statements that came as one line; others keep their shape. */
export function spread(sql: string): string {
  if (sql.includes("\n")) return sql;
  let depth = 0;
  let last = "";
  let out = "";
  for (const { kind, text } of tokens(sql.trim())) {
    if (text === "(") depth += 1;
    if (text === ")") depth -= 1;
    const word = kind === "keyword" ? text.toLowerCase() : "";
    const begins = LINE_STARTS.has(word) || (JOINS.has(word) && !JOINS.has(last) && last !== "outer");
    const condition = word === "and" && depth === 0;
    if (depth === 0 && out && begins) out = `${out.trimEnd()}\n`;
    else if (condition && !between(out)) out = `${out.trimEnd()}\n  `;
    out += text;
    if (kind !== "space") last = word;
  }
  return out;
}

/** Whether the last condition is a BETWEEN that still waits for its AND. */
function between(out: string): boolean {
  const words = tokens(out)
    .filter((token) => token.kind === "keyword")
    .map((token) => token.text.toLowerCase());
  const place = words.lastIndexOf("between");
  return place >= 0 && !words.slice(place).includes("and");
}
