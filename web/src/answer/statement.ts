import { at, post } from "../api/client";
import type { Cell, Column } from "../api/types";

/** A person's own statement, run through the same guard as every other. */
export type Ran = { columns: Column[]; rows: Cell[][]; row_count: number; truncated: string | null; result_id: string | null; ms: number; sql: string };

export function runStatement(connection: string, sql: string): Promise<Ran> {
  return post<Ran>(at`/connections/${connection}/sql`, { sql });
}
