import { get } from "../api/client";
import type { Both, Described } from "../api/undescribed";
import { useLoad, type Loaded } from "../app/load";
import type { Language } from "../app/preferences";

export type About = Both;
export type Descriptions = Record<string, Described>;

/** What people said of the tables of a database. */
export function useDescriptions(connection: string): Loaded<Descriptions> {
  return useLoad(`descriptions ${connection}`, async () => {
    const found = await get("/connections/{connection_id}/glossary", { path: { connection_id: connection } });
    return found.glossary.tables ?? {};
  });
}

/** The words in the reader's language, else in the other. */
export function said(about: About | undefined, language: Language): string {
  return (language === "zh" ? about?.zh || about?.en : about?.en || about?.zh) ?? "";
}
