import { at, get } from "../api/client";
import { useLoad, type Loaded } from "../app/load";
import type { Language } from "../app/preferences";

export type About = { en?: string; zh?: string };
export type Described = { description?: About; columns?: Record<string, About> };
export type Descriptions = Record<string, Described>;

/** What people said of the tables of a database. */
export function useDescriptions(connection: string): Loaded<Descriptions> {
  return useLoad(`descriptions ${connection}`, async () => {
    const found = await get<{ glossary: { tables?: Descriptions } }>(at`/connections/${connection}/glossary`);
    return found.glossary.tables ?? {};
  });
}

/** The words in the reader's language, else in the other. */
export function said(about: About | undefined, language: Language): string {
  return (language === "zh" ? about?.zh || about?.en : about?.en || about?.zh) ?? "";
}
