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

/** Below this a query in parentheses stays in its line. */
const SHORT = 60;
/** Above this a list has each of its items on a line of its own. */
const WIDE = 96;

/** One clause a line and queries in parentheses indented, for statements that came as one line; others keep their shape. */
export function spread(sql: string): string {
  return sql.includes("\n") ? sql : block(tokens(sql.trim()), "");
}

const wordOf = (token: Token | undefined): string => (token?.kind === "keyword" ? token.text.toLowerCase() : "");
const textOf = (given: Token[]): string => given.map((token) => token.text).join("");

/** A query without the parentheses around it, its clauses on lines that begin at an indent. */
function block(given: Token[], indent: string): string {
  const lines: string[] = [];
  let items: string[] = [""];
  let [clause, lead, last] = ["", "", ""];
  let [between, cases] = [false, 0];
  const write = (text: string) => (items[items.length - 1] += text);
  const close = () => {
    const pieces = items.map((item) => item.trim());
    const line = pieces.join(", ");
    if (line) lines.push(lead + (clause !== "with" && line.length > WIDE ? pieces.join(`,\n${indent}  `) : line));
    items = [""];
  };
  for (let at = 0; at < given.length; at += 1) {
    const token = given[at]!;
    const word = wordOf(token);
    if (token.text === "(" && token.kind === "punctuation") {
      const end = closing(given, at);
      const inner = given.slice(at + 1, end);
      const first = wordOf(inner.find((each) => each.kind !== "space"));
      if ((first === "select" || first === "with") && textOf(inner).length > SHORT) {
        const deeper = `${indent}  `;
        write(`(\n${deeper}${block(inner, deeper)}\n${indent})`);
      } else write(`(${textOf(inner)}${end < given.length ? ")" : ""}`);
      at = end;
      last = "";
      continue;
    }
    const joins = JOINS.has(word) && !JOINS.has(last) && last !== "outer";
    if (LINE_STARTS.has(word) || joins || (word === "with" && !lines.length)) {
      close();
      [clause, lead] = [word, ""];
    } else if (word === "and" && !between && !cases) {
      close();
      lead = "  ";
    }
    if (word === "between") between = true;
    else if (word === "and") between = false;
    if (word === "case") cases += 1;
    else if (word === "end") cases -= 1;
    if (token.text === "," && token.kind === "punctuation") items.push("");
    else write(token.text);
    if (token.kind !== "space") last = word;
  }
  close();
  return lines.join(`\n${indent}`);
}

/** The place of the parenthesis that closes one; the end where none does. */
function closing(given: Token[], open: number): number {
  let depth = 0;
  for (let at = open; at < given.length; at += 1) {
    if (given[at]!.kind !== "punctuation") continue;
    if (given[at]!.text === "(") depth += 1;
    if (given[at]!.text === ")" && (depth -= 1) === 0) return at;
  }
  return given.length;
}
