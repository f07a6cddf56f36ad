import { get } from "../api/client";
import type { Both, Described, Glossary, Shown } from "../api/undescribed";
import { useLoad, type Loaded } from "../app/load";
import type { Language } from "../app/preferences";

export type About = Both;
export type Descriptions = Record<string, Described>;
/** What people said of one column: how it is called and shown, what it means, and what its values stand for. */
export type ColumnSaid = { shown: Shown; about: Both; values: Record<string, string[]> };

/** What people said of a database. */
export function useGlossary(connection: string): Loaded<Glossary> {
  return useLoad(`glossary of ${connection}`, async () => {
    const found = await get("/connections/{connection_id}/glossary", { path: { connection_id: connection } });
    return found.glossary;
  });
}

export function columnSaid(glossary: Glossary | undefined, table: string, column: string): ColumnSaid {
  const bare = table.split(".").at(-1)!;
  const of = <Value>(all: Record<string, Value> | undefined) =>
    all?.[`${table}.${column}`] ?? all?.[`${bare}.${column}`];
  const told = glossary?.tables?.[table] ?? glossary?.tables?.[bare];
  return {
    shown: of(glossary?.shown) ?? {},
    about: told?.columns?.[column] ?? {},
    values: of(glossary?.values) ?? {},
  };
}

/** The words in the reader's language, else in the other. */
export function said(about: About | undefined, language: Language): string {
  return (language === "zh" ? about?.zh || about?.en : about?.en || about?.zh) ?? "";
}
