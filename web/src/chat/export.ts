import type { Turn } from "./turn";
import { spread } from "../answer/sql_text";
import { gradeOf, ignoredOf, partsOf, readingText, untold } from "../answer/truth";
import type { Language } from "../app/preferences";
import { CATALOGUES } from "../i18n";
import { columnLabel, alignmentOf, formatMoment, tellCell } from "../i18n/format";

/** What is taken along; `database` names the one that a turn was asked of, empty where it is gone. */
export type Taken = { title: string; turns: Turn[]; database: (turn: Turn) => string; language: Language };

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

/** When it was answered, from which database, and how sure that is: what the card says around its words. */
function certaintyOf(turn: Turn, { database, language }: Taken): string {
  const { truth } = CATALOGUES[language];
  const grade = gradeOf(turn.answer);
  const told = [
    formatMoment(turn.heard.last || turn.heard.first, language),
    plain(database(turn)),
    grade && `**${truth.grades[grade]}**`,
  ];
  return told.filter(Boolean).join(" · ");
}

/** How the question was read, part by part with its definitions, and what of it was not used. */
function readingOf({ answer }: Turn, language: Language): string {
  if (!answer) return "";
  const t = CATALOGUES[language];
  const reading = partsOf(answer.reading).filter(({ kind }) => kind !== "ignored" && kind !== "database");
  const text = reading.length ? "" : readingText(answer.reading);
  const ignored = ignoredOf(answer.reading).map((part) => `“${plain(part)}”`);
  return [
    ...(text ? [t.app.colon(t.answer.reading) + plain(text)] : []),
    ...reading.map(({ kind, text }) => t.app.colon(t.truth.parts[kind]) + plain(text)),
    ...(ignored.length ? [t.truth.ignored(ignored.join(t.app.comma))] : []),
  ]
    .map((each) => `- ${each}`)
    .join("\n");
}

/** The rows may be older than the answer. */
function cachedOf({ cache }: Turn, language: Language): string {
  if (!cache?.as_of || cache.level === "semantic") return "";
  return CATALOGUES[language].chat.fromCache(formatMoment(cache.as_of, language));
}

/** One question with all that its card shows. */
const toldOf = (turn: Turn, taken: Taken): string[] =>
  [
    `## ${turn.question.replace(/\s+/g, " ")}`,
    certaintyOf(turn, taken),
    turn.failure?.message ?? turn.streamed,
    readingOf(turn, taken.language),
    tableOf(turn, taken.language),
    cachedOf(turn, taken.language),
    ...untold(turn.answer?.warnings ?? [], turn.streamed).map((warning) => `> ${warning}`),
    turn.answer?.sql ? fenced(spread(turn.answer.sql), "sql") : "",
  ].filter(Boolean);

/** A conversation to be read elsewhere: each question with its answer, how sure it is, its rows and statement. */
export function asMarkdown(taken: Taken): string {
  return `${[`# ${taken.title}`, ...taken.turns.flatMap((turn) => toldOf(turn, taken))].join("\n\n")}\n`;
}

const cell = (kind: "markdown" | "code", source: string, place: number) => ({
  id: `cell-${place}`,
  cell_type: kind,
  metadata: {},
  source: source.split(/(?<=\n)/),
  ...(kind === "code" && { execution_count: null, outputs: [] }),
});

/** Connects, and says in the reader's words what to fill in where the database is not known. */
function connecting(database: string, language: Language): string {
  const t = CATALOGUES[language];
  const { fillIn, anyDatabase, notKnown, oneThread } = t.chat.notebook;
  const said = (text: string) => text.replace(/^/gm, "# ");
  return `import uuid

from inquery import Inquery
from inquery.errors import NotFound

${said(fillIn)}
database = ${JSON.stringify(database || anyDatabase)}

try:
    inquery = Inquery.connect(database)
except NotFound:
    raise NotFound(database + ${JSON.stringify(notKnown)}) from None

${said(oneThread)}
thread_id = str(uuid.uuid4())`;
}

/** Asks in the thread of the notebook, so that a follow-up is one there too; what was asked back gets the same reply. */
function asking({ question, replied, asked }: Turn): string {
  const ask = (words: string) => `answer = inquery.ask(${JSON.stringify(words)}, thread_id=thread_id)`;
  const reply =
    replied && asked?.kind !== "approval" ? [`if answer.status == "clarification":\n    ${ask(replied)}`] : [];
  return [ask(question), ...reply, "frame = answer.frame(labels=True)", "answer"].join("\n");
}

/** The same as a notebook, whose code asks each question again; what failed is told and not asked. */
export function asNotebook(taken: Taken): string {
  const { title, turns, database, language } = taken;
  const cells: ["markdown" | "code", string][] = [
    ["markdown", `# ${title}`],
    ["code", connecting(turns.length ? database(turns.at(-1)!) : "", language)],
    ...turns.flatMap((turn): ["markdown" | "code", string][] => [
      ["markdown", toldOf(turn, taken).join("\n\n")],
      ...(turn.failure ? [] : [["code", asking(turn)] as ["code", string]]),
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
