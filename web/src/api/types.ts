import type { components } from "./schema";

type Schemas = components["schemas"];

/** The server sends every field of an answer; OpenAPI calls those with a default optional. */
type Sent<Name extends keyof Schemas> = Required<Schemas[Name]>;

export type Cell = string | number | boolean | null | object;
export type Column = Sent<"AnswerColumn">;
export type ChartSpec = Sent<"ChartSpec">;
export type Fact = Sent<"Fact">;
export type Option = Sent<"Option">;
export type Usage = Sent<"Usage">;
export type Step = Sent<"Step">;
export type Filter = { phrase: string; table: string; column: string; value: string };
export type Period = { text: string; start: string | null; end: string | null };

export type Reading = {
  question?: string;
  filters?: Filter[];
  period?: Period[];
  metric?: Record<string, string>;
  assumptions?: string[];
};

export type Provenance = {
  connection?: string;
  connection_choice?: string;
  source?: string;
  tables?: string[];
  columns?: string[];
  joins?: string[];
  samples?: string[];
  glossary?: Record<string, string>;
  values?: Filter[];
  candidates?: number;
  agreement?: number | null;
  repairs?: unknown[];
  advice?: unknown[];
  model?: string;
  schema_version?: string;
  assumptions?: string[];
};

export type Pending = Omit<Sent<"Pending">, "options"> & { options: Option[] };
export type Failure = { code: string; message: string; retryable: boolean; class?: string };

export type Answer = Omit<
  Sent<"Answer">,
  "rows" | "reading" | "provenance" | "cache" | "error" | "chart" | "pending" | "columns" | "steps" | "usage"
> & {
  columns: Column[];
  rows: Cell[][];
  reading: Reading;
  provenance: Provenance;
  cache: { level: string; as_of: string | null } | null;
  error: Failure | null;
  chart: ChartSpec | null;
  pending: Pending | null;
  steps: Step[];
  usage: Usage;
};

type Stamp = { seq: number; run_id: string; at: string | null };

export type StreamEvent = Stamp &
  (
    | { type: "step"; name: string; status: "started" | "finished"; ms: number | null }
    | { type: "token"; text: string }
    | { type: "sql"; sql: string; attempt: number }
    | {
        type: "rows";
        result_id: string;
        columns: Column[];
        preview: Cell[][];
        row_count: number;
        truncated: string | null;
      }
    | { type: "facts"; facts: Fact[]; text: string }
    | { type: "chart"; chart: ChartSpec }
    | { type: "cache"; level: string; as_of: string | null }
    | { type: "clarification"; id: string; question: string; options: Option[] }
    | { type: "approval"; id: string; sql: string; estimate: Record<string, unknown> | null }
    | { type: "retry"; class: string; attempt: number }
    | { type: "followups"; questions: string[] }
    | { type: "usage"; usage: Usage }
    | { type: "error"; code: string; message: string; retryable: boolean }
    | { type: "done"; answer: Answer }
  );

export type ResultRows = Omit<Sent<"ResultRows">, "rows" | "columns"> & { columns: Column[]; rows: Cell[][] };
export type Connection = Sent<"ConnectionInfo">;
export type Tried = Sent<"Tried">;
export type Added = Sent<"Added">;
export type Thread = Sent<"ThreadInfo">;
export type ThreadHistory = Sent<"ThreadHistory">;
export type RunEvents = { run_id: string; ended: boolean; events: StreamEvent[] };
export type TableInfo = Sent<"TableInfo">;
export type Tables = Sent<"Tables">;
export type ColumnInfo = Sent<"ColumnInfo">;
export type TableDetails = Sent<"TableDetails">;
export type Join = Sent<"JoinInfo">;
export type Refreshed = Sent<"Refreshed">;
export type Sample = Sent<"SampleInfo">;
export type Profile = Sent<"ProfileInfo">;
export type ProfileContent = Sent<"ProfileContent">;
export type Ready = Sent<"Ready">;
export type Check = Sent<"Check">;
export type Question = Partial<Schemas["Question"]> & { question: string };
export type Reply = string | { decision: "approve" | "edit" | "reject"; sql?: string };
export type Me = Sent<"Me">;
export type Ways = Sent<"Ways">;
export type UserInfo = Sent<"UserInfo">;
export type KeyInfo = Sent<"KeyInfo">;
export type NewKeyInfo = Sent<"NewKeyInfo">;
export type AuditPage = Sent<"AuditPage">;
export type Saved = Sent<"SavedInfo">;
export type SqlResult = Omit<Sent<"SqlResult">, "rows" | "columns" | "chart"> & {
  columns: Column[];
  rows: Cell[][];
  chart: ChartSpec | null;
};
export type ShareInfo = Sent<"ShareInfo">;
export type SharedThread = Omit<Sent<"SharedThread">, "answers"> & { answers: Answer[] };
export type ModelInfo = Sent<"ModelInfo">;
export type Tested = Sent<"Tested">;
export type UsageInfo = Sent<"UsageInfo">;
export type CacheStats = Record<string, Record<string, string | number | boolean> | null>;
export type GrantInfo = Sent<"GrantInfo">;
