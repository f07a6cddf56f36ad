import type { components } from "./schema";

/** A value of JSON. */
export type Cell = string | number | boolean | null | object;

/** What the server sends and its schema calls no more than "an object", by the name of the field; described, it goes. */
export type Undescribed = {
  /** Of an answer; that of an option, which the page does not read, goes by the same name. */
  reading: Reading;
  provenance: Provenance;
  cache: { level: string; as_of: string | null };
  error: components["schemas"]["ErrorBody"];
  glossary: Glossary;
  /** Of a run of a report. */
  content: { problems?: Fault[] };
  columns: Required<components["schemas"]["AnswerColumn"]>;
  problem: Fault;
  changes: Change;
};

type Filter = { phrase: string; table: string; column: string; value: string };

type Reading = {
  question?: string;
  filters?: Filter[];
  period?: { text: string; start: string | null; end: string | null }[];
  metric?: Record<string, string>;
  assumptions?: string[];
};

type Provenance = {
  connection?: string;
  tables?: string[];
  joins?: string[];
  samples?: string[];
  glossary?: Record<string, string>;
  values?: Filter[];
  candidates?: number;
  model?: string;
  schema_version?: string;
};

export type Both = { en?: string; zh?: string };
export type Term = { meaning: Both; synonyms?: string[] };
export type Metric = {
  expression: string;
  filter?: string;
  tables?: string[];
  description?: Both;
  synonyms?: string[];
};
export type Described = { description?: Both; columns?: Record<string, Both> };

/** The glossary as the server keeps it; parts the page does not edit are handed back untouched. */
export type Glossary = {
  terms?: Record<string, Term>;
  metrics?: Record<string, Metric>;
  values?: Record<string, Record<string, string[]>>;
  tables?: Record<string, Described>;
  [other: string]: unknown;
};

/** A fault of a template or a run, told in both languages. */
type Fault = { line: number; code: string; en: string; zh: string };
type Change = { key: string; title: string; kind: string; before: Cell; after: Cell; rate: number | null };
