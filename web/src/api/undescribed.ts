import type { components } from "./schema";

/** A value of JSON. */
export type Cell = string | number | boolean | null | object;

/** What the server sends and its schema calls no more than "an object", by the name of the field; described, it goes. */
export type Undescribed = {
  glossary: Glossary;
  /** Of a run of a report. */
  content: { problems?: Fault[]; placeholders?: number };
  columns: Pick<components["schemas"]["AnswerColumn"], "name" | "kind"> &
    Partial<components["schemas"]["AnswerColumn"]>;
  problem: Fault;
  changes: Change;
};

export type Both = { en?: string; zh?: string };
export type Term = { meaning: Both; synonyms?: string[] };
/** What the page edits of a measure; the rest (time, additivity, format, …) is handed back untouched. */
export type Metric = {
  expression: string;
  filter?: string;
  tables?: string[];
  description?: Both;
  synonyms?: string[];
  label?: Both;
  numerator?: string;
  denominator?: string;
};
export type Shown = { label?: Both; format?: ShownFormat; unit?: string };
export type ShownFormat = components["schemas"]["ColumnWords"]["format"];
export type Described = { description?: Both; columns?: Record<string, Both> };

/** The glossary as the server keeps it; parts the page does not edit are handed back untouched. */
export type Glossary = {
  terms?: Record<string, Term>;
  metrics?: Record<string, Metric>;
  values?: Record<string, Record<string, string[]>>;
  tables?: Record<string, Described>;
  shown?: Record<string, Shown>;
  [other: string]: unknown;
};

/** A fault of a template or a run, told in both languages. */
type Fault = { line: number; code: string; en: string; zh: string };
type Change = { key: string; title: string; kind: string; before: Cell; after: Cell; rate: number | null };
