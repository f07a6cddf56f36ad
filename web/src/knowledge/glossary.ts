import type { Glossary, Metric, Term } from "../api/undescribed";

export type Entry = {
  kind: "terms" | "metrics";
  name: string;
  en: string;
  zh: string;
  synonyms: string;
  expression: string;
  filter: string;
  tables: string;
};

export const blankEntry = (kind: Entry["kind"]): Entry => ({
  kind,
  name: "",
  en: "",
  zh: "",
  synonyms: "",
  expression: "",
  filter: "",
  tables: "",
});

export function entryOf(kind: Entry["kind"], name: string, glossary: Glossary): Entry {
  const about = (glossary[kind] ?? {})[name] as (Term & Metric) | undefined;
  const text = kind === "terms" ? about?.meaning : about?.description;
  return {
    kind,
    name,
    en: text?.en ?? "",
    zh: text?.zh ?? "",
    synonyms: (about?.synonyms ?? []).join(", "),
    expression: about?.expression ?? "",
    filter: about?.filter ?? "",
    tables: (about?.tables ?? []).join(", "),
  };
}

export const listed = (text: string): string[] =>
  text
    .split(/[,，、\n]/)
    .map((part) => part.trim())
    .filter(Boolean);

/** The glossary with an entry set, under a new name where it was renamed. */
export function withEntry(glossary: Glossary, entry: Entry, before: string): Glossary {
  const kept = withoutEntry(glossary, entry.kind, before);
  const text = { en: entry.en.trim(), zh: entry.zh.trim() };
  const made: Term | Metric =
    entry.kind === "terms"
      ? { meaning: text, synonyms: listed(entry.synonyms) }
      : {
          expression: entry.expression.trim(),
          filter: entry.filter.trim(),
          tables: listed(entry.tables),
          description: text,
          synonyms: listed(entry.synonyms),
        };
  return { ...kept, [entry.kind]: { ...kept[entry.kind], [entry.name.trim()]: made } };
}

export function withoutEntry(glossary: Glossary, kind: Entry["kind"], name: string): Glossary {
  const rest = Object.fromEntries(Object.entries(glossary[kind] ?? {}).filter(([other]) => other !== name));
  return { ...glossary, [kind]: rest };
}
