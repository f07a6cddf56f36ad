import { useState } from "react";
import { get, linkTo, put } from "../api/client";
import type { Both, Glossary } from "../api/undescribed";
import { useMay } from "../app/identity";
import { useLoad } from "../app/load";
import { usePreferences } from "../app/preferences";
import { useText } from "../i18n";
import { Button, IconButton } from "../ui/button";
import { saveAs } from "../ui/copy";
import { Dialog } from "../ui/dialog";
import { Field } from "../ui/field";
import { notify, Problem, useAttempt } from "../ui/notice";
import { blankEntry, entryOf, withEntry, withoutEntry, type Entry } from "./glossary";
import { YamlImport } from "./yaml_import";

/** Terms and measures of a database, and what people call its values. */
export function GlossaryEditor({ connection }: { connection: string }) {
  const t = useText();
  const { language } = usePreferences();
  const attempt = useAttempt();
  const mayEdit = useMay()("glossary");
  const [editing, setEditing] = useState<{ entry: Entry; before: string } | null>(null);
  const loaded = useLoad(`glossary ${connection}`, () =>
    get("/connections/{connection_id}/glossary", { path: { connection_id: connection } }),
  );
  if (loaded.error) return <Problem error={loaded.error} onRetry={loaded.reload} />;
  if (!loaded.data) return <p className="muted">{t.app.loading}</p>;
  const glossary = loaded.data.glossary;
  const said = (text: Both | undefined) => (language === "zh" ? text?.zh || text?.en : text?.en || text?.zh) ?? "";
  const keep = async (next: Glossary) => {
    const saved = await attempt(() =>
      put("/connections/{connection_id}/glossary", { path: { connection_id: connection }, body: { glossary: next } }),
    );
    if (saved) notify(t.knowledge.glossarySaved);
    await loaded.reload();
    return saved;
  };
  const part = (kind: Entry["kind"], title: string, add: string) => {
    const entries = Object.entries(glossary[kind] ?? {}) as [
      string,
      { synonyms?: string[]; meaning?: Both; description?: Both; expression?: string; filter?: string },
    ][];
    return (
      <section aria-label={title}>
        <h2>
          {title} <span className="count">{entries.length}</span>
          <span className="spring" />
          {mayEdit && (
            <Button icon="plus" onClick={() => setEditing({ entry: blankEntry(kind), before: "" })}>
              {add}
            </Button>
          )}
        </h2>
        <ul className="cards">
          {entries.map(([name, about]) => (
            <li key={name} className="card entry">
              <div>
                <h3>{name}</h3>
                <p className="muted">{said(about.meaning ?? about.description)}</p>
                {about.expression && (
                  <code>
                    {about.expression}
                    {about.filter ? ` WHERE ${about.filter}` : ""}
                  </code>
                )}
                {(about.synonyms ?? []).length > 0 && (
                  <ul className="tags">
                    {about.synonyms!.map((word) => (
                      <li key={word}>{word}</li>
                    ))}
                  </ul>
                )}
              </div>
              {mayEdit && (
                <div className="row">
                  <IconButton
                    icon="edit"
                    label={`${t.app.edit}: ${name}`}
                    onClick={() => setEditing({ entry: entryOf(kind, name, glossary), before: name })}
                  />
                  <IconButton
                    icon="trash"
                    label={`${t.app.remove}: ${name}`}
                    onClick={() => void keep(withoutEntry(glossary, kind, name))}
                  />
                </div>
              )}
            </li>
          ))}
        </ul>
      </section>
    );
  };
  return (
    <div className="stack">
      <div className="toolbar">
        <span className="spring" />
        <Button
          icon="download"
          kind="quiet"
          onClick={() =>
            saveAs(
              linkTo("/connections/{connection_id}/glossary.yaml", { path: { connection_id: connection } }),
              "glossary.yaml",
            )
          }
        >
          {t.knowledge.exportYaml}
        </Button>
        {mayEdit && (
          <YamlImport
            onText={(yaml) =>
              put("/connections/{connection_id}/glossary.yaml", { path: { connection_id: connection }, body: { yaml } })
            }
            onDone={loaded.reload}
          />
        )}
      </div>
      {part("metrics", t.knowledge.metrics, t.knowledge.addMetric)}
      {part("terms", t.knowledge.terms, t.knowledge.addTerm)}
      <section aria-label={t.knowledge.valueMappings}>
        <h2>{t.knowledge.valueMappings}</h2>
        <ul className="cards">
          {Object.entries(glossary.values ?? {}).map(([column, values]) => (
            <li key={column} className="card entry">
              <div>
                <h3>{column}</h3>
                <ul className="mappings">
                  {Object.entries(values).map(([value, words]) => (
                    <li key={value}>
                      <code>{value}</code> <span className="muted">{words.join(", ")}</span>
                    </li>
                  ))}
                </ul>
              </div>
            </li>
          ))}
        </ul>
      </section>
      {editing && (
        <EntryDialog
          start={editing.entry}
          onClose={() => setEditing(null)}
          onSave={async (entry) => {
            if (await keep(withEntry(glossary, entry, editing.before))) setEditing(null);
          }}
        />
      )}
    </div>
  );
}

function EntryDialog({
  start,
  onClose,
  onSave,
}: {
  start: Entry;
  onClose: () => void;
  onSave: (entry: Entry) => Promise<void>;
}) {
  const t = useText();
  const [entry, setEntry] = useState(start);
  const metric = entry.kind === "metrics";
  const line = (label: string, key: keyof Entry, required = false) => (
    <Field label={label}>
      {(id) => (
        <input
          id={id}
          required={required}
          maxLength={2000}
          value={entry[key]}
          onChange={(event) => setEntry({ ...entry, [key]: event.target.value })}
        />
      )}
    </Field>
  );
  return (
    <Dialog title={metric ? t.knowledge.metrics : t.knowledge.terms} onClose={onClose}>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          void onSave(entry);
        }}
      >
        {line(t.knowledge.term, "name", true)}
        {metric && line(t.knowledge.expression, "expression", true)}
        {metric && line(t.knowledge.condition, "filter")}
        {metric && line(t.data.tables, "tables")}
        {line(`${t.knowledge.meaning} (${t.data.english})`, "en")}
        {line(`${t.knowledge.meaning} (${t.data.chinese})`, "zh")}
        {line(t.knowledge.synonyms, "synonyms")}
        <div className="row end">
          <Button onClick={onClose}>{t.app.cancel}</Button>
          <Button
            kind="primary"
            type="submit"
            disabled={!entry.name.trim() || (metric ? !entry.expression.trim() : !(entry.en || entry.zh).trim())}
          >
            {t.app.save}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
