import type { Answer, Cell, Column, Reading } from "../api/types";

export type Grade = "verified" | "likely" | "check";
/** Another reading of the question, with what it gives. */
export type Alternative = { label: string; sql: string; text: string; columns: Column[]; rows: Cell[][] };

/** What an answer says of its own certainty; an older server says none of it. */
type Certain = { grade?: Grade | null; alternatives?: Answer["alternatives"] | null };
export type PartKind =
  | "measure"
  | "group"
  | "period"
  | "date"
  | "filter"
  | "without"
  | "definition"
  | "assumption"
  | "chosen"
  | "ignored"
  | "database";
/** One part of a reading, with what else could be meant: each change is a whole question. */
export type ReadPart = { kind: PartKind; text: string; changes: { label: string; question: string }[] };
type ReadWhole = Reading & { text?: string; ignored?: string[]; parts?: ReadPart[] };

export const gradeOf = (answer: Answer | null): Grade | null => (answer as Certain | null)?.grade ?? null;

export const alternativesOf = (answer: Answer | null): Alternative[] =>
  ((answer as Certain | null)?.alternatives ?? [])
    .filter((each) => each.columns.length > 0)
    .map(({ sql, text, columns, words, rows }) => ({
      label: text,
      sql,
      text,
      columns: words?.length ? words : columns.map(column),
      rows,
    }));

/** A column that is known by its name alone, in plain words. */
const column = (name: string): Column => ({ name, kind: "other", label: name.replaceAll("_", " ") });

/** The question in the words of whoever answered it: the reading, else the plan. */
export const readingText = (reading: Reading): string => (reading as ReadWhole).text ?? reading.plan?.text ?? "";

/** The reading part by part; what was not used is told apart from the rest. */
export const partsOf = (reading: Reading): ReadPart[] => (reading as ReadWhole).parts ?? [];

/** Parts of the question that nothing in the statement stands for. */
export const ignoredOf = (reading: Reading): string[] => (reading as ReadWhole).ignored ?? [];

/** The warnings that neither the sentences nor a longer warning say already. */
export const untold = (warnings: string[], told: string): string[] =>
  warnings.filter((warning) => {
    const bare = warning.replace(/[.。]$/, "");
    return !told.includes(bare) && !warnings.some((other) => other !== warning && other.includes(bare));
  });
