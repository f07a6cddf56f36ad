import type { components } from "../api/schema";
import type { Cell, Column } from "../api/types";

type Schemas = components["schemas"];

export type Report = Required<Schemas["ReportInfo"]>;
export type Reports = Required<Schemas["ReportsInfo"]>;
export type Placeholder = Required<Schemas["PlaceholderInfo"]>;
export type Run = Omit<Required<Schemas["RunInfo"]>, "content"> & { content: Record<string, unknown> };
export type Value = Omit<Required<Schemas["ValueInfo"]>, "columns" | "preview" | "problem"> & {
  columns: Column[];
  preview: Cell[][];
  problem: Problem | null;
};
/** A fault of a template or a run, told in both languages. */
export type Problem = { line: number; code: string; en: string; zh: string };
export type Change = { key: string; title: string; kind: string; before: Cell; after: Cell; rate: number | null };
export type RunDetails = Run & { values: Value[]; changes: Change[] };
export type Schedule = Required<Schemas["ScheduleInfo"]>;
