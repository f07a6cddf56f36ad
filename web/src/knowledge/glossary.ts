import type { Glossary, Metric, Term } from "../api/undescribed";

export type Entry = {
  kind: "terms" | "metrics";
  name: string;
  labelEn: string;
  labelZh: string;
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
  labelEn: "",
  labelZh: "",
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
    labelEn: about?.label?.en ?? "",
    labelZh: about?.label?.zh ?? "",
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

/** The glossary with an entry set, under a new name where it was renamed; what the form does not show stays as it was. */
export function withEntry(glossary: Glossary, entry: Entry, before: string): Glossary {
  const kept = withoutEntry(glossary, entry.kind, before);
  const text = { en: entry.en.trim(), zh: entry.zh.trim() };
  const made: Term | Metric =
    entry.kind === "terms"
      ? { ...glossary.terms?.[before], meaning: text, synonyms: listed(entry.synonyms) }
      : {
          ...glossary.metrics?.[before],
          expression: entry.expression.trim(),
          filter: entry.filter.trim(),
          tables: listed(entry.tables),
          label: { en: entry.labelEn.trim(), zh: entry.labelZh.trim() },
          description: text,
          synonyms: listed(entry.synonyms),
        };
  const name = entry.name.trim();
  // In its place: a measure that was edited would else be the last of forty.
  const names = Object.keys(glossary[entry.kind] ?? {}).map((each) => (each === before ? name : each));
  const entries = { ...kept[entry.kind], [name]: made } as Record<string, Term | Metric>;
  const order = names.includes(name) ? names : [...names, name];
  return { ...kept, [entry.kind]: Object.fromEntries(order.map((each) => [each, entries[each]!])) };
}

export function withoutEntry(glossary: Glossary, kind: Entry["kind"], name: string): Glossary {
  const rest = Object.fromEntries(Object.entries(glossary[kind] ?? {}).filter(([other]) => other !== name));
  return { ...glossary, [kind]: rest };
}
