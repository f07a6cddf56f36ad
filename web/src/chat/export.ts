import type { Turn } from "./turn";
import { spread } from "../answer/sql_text";
import { untold } from "../answer/truth";
import type { Language } from "../app/preferences";
import { columnLabel, alignmentOf, tellCell } from "../i18n/format";

const MOST_ROWS = 50;

/** Text in a Markdown table: no bar ends it, no line breaks it, and no markup in the data counts. */
const plain = (text: string): string => text.replace(/[\\`*_[\]<>|]/g, "\\$&").replace(/\s*\n\s*/g, " ");

const line = (cells: string[]): string => `| ${cells.join(" | ")} |`;

function tableOf({ result }: Turn, language: Language): string {
  if (!result?.rowCount) return "";
  const { columns } = result;
  const aligned = columns.map((_, place) => alignmentOf(result.rows, place));
  const rows = result.rows
    .slice(0, MOST_ROWS)
    .map((row) =>
      line(columns.map((column, place) => plain(tellCell(row[place] ?? null, column, language, aligned[place])))),
    );
  const more = result.rowCount > rows.length ? ["", `… ${result.rowCount - rows.length}`] : [];
  const rules = columns.map((column) => (column.kind === "number" ? "---:" : "---"));
  const heads = [line(columns.map((column) => plain(columnLabel(column)))), line(rules)];
  return [...heads, ...rows, ...more].join("\n");
}

/** A fence longer than any in the statement. */
function fenced(sql: string, language: string): string {
  const longest = Math.max(2, ...[...sql.matchAll(/`+/g)].map((found) => found[0].length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${sql}\n${fence}`;
}

const partsOf = (turn: Turn, language: Language): string[] =>
  [
    `## ${turn.question.replace(/\s+/g, " ")}`,
    turn.failure?.message ?? turn.streamed,
    tableOf(turn, language),
    ...untold(turn.answer?.warnings ?? [], turn.streamed).map((warning) => `> ${warning}`),
  ].filter(Boolean);

/** A conversation to be read elsewhere: each question with its answer, rows and statement. */
export function asMarkdown(title: string, turns: Turn[], language: Language): string {
  const told = turns.flatMap((turn) => [
    ...partsOf(turn, language),
    ...(turn.answer?.sql ? [fenced(spread(turn.answer.sql), "sql")] : []),
  ]);
  return `${[`# ${title}`, ...told].join("\n\n")}\n`;
}

const cell = (kind: "markdown" | "code", source: string, place: number) => ({
  id: `cell-${place}`,
  cell_type: kind,
  metadata: {},
  source: source.split(/(?<=\n)/),
  ...(kind === "code" && { execution_count: null, outputs: [] }),
});

/** The same as a notebook, whose code asks each question again. */
export function asNotebook(title: string, turns: Turn[], database: string, language: Language): string {
  const connect = `from inquery import Inquery\n\ninquery = Inquery.connect(${JSON.stringify(database)})`;
  const cells: ["markdown" | "code", string][] = [
    ["markdown", `# ${title}`],
    ["code", connect],
    ...turns.flatMap((turn): ["markdown" | "code", string][] => [
      ["markdown", partsOf(turn, language).join("\n\n")],
      ["code", `answer = inquery.ask(${JSON.stringify(turn.question)})\nprint(answer.text)\nanswer.rows`],
    ]),
  ];
  const made = {
    nbformat: 4,
    nbformat_minor: 5,
    metadata: { kernelspec: { name: "python3", display_name: "Python 3", language: "python" } },
    cells: cells.map(([kind, source], place) => cell(kind, source, place)),
  };
  return JSON.stringify(made, null, 1);
}
