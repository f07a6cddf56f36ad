import { post } from "../api/client";
import type { SqlResult } from "../api/types";

/** Runs a person's own statement through the same guard as every other. */
export function runStatement(connection: string, sql: string, question: string, threadId: string): Promise<SqlResult> {
  return post("/connections/{connection_id}/sql", {
    path: { connection_id: connection },
    body: { sql, question, thread_id: threadId || null },
  });
}
