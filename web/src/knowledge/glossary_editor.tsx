import { useState } from "react";
import { get, linkTo, put } from "../api/client";
import type { Both, Glossary, Metric, Term } from "../api/undescribed";
import { useMay } from "../app/identity";
import { useLoad } from "../app/load";
import { usePreferences } from "../app/preferences";
import { useText } from "../i18n";
import { Button, IconButton, LinkButton } from "../ui/button";
import { Cards, EntryCard } from "../ui/card";
import { saveAs } from "../ui/copy";
import { Field } from "../ui/field";
import { FormDialog } from "../ui/form_dialog";
import { Tags } from "../ui/lists";
import { notify, Problem } from "../ui/notice";
import { Count, Stack } from "../ui/page";
import { RemoveButton } from "../ui/remove_button";
import { Row, Spring, Toolbar } from "../ui/row";
import { Text } from "../ui/text";
import { blankEntry, entryOf, withEntry, withoutEntry, type Entry } from "./glossary";
import { YamlImport } from "./yaml_import";
import styles from "./glossary_editor.module.css";

/** Words of an entry that are shown at once. */
const FEW = 8;

/** Terms and measures of a database, and what people call its values. */
export function GlossaryEditor({ connection }: { connection: string }) {
  const t = useText();
  const { language } = usePreferences();
  const mayEdit = useMay()("glossary");
  const [editing, setEditing] = useState<{ entry: Entry; before: string } | null>(null);
  const loaded = useLoad(`glossary ${connection}`, () =>
    get("/connections/{connection_id}/glossary", { path: { connection_id: connection } }),
  );
  if (loaded.error) return <Problem error={loaded.error} onRetry={loaded.reload} />;
  if (!loaded.data) return <Text muted>{t.app.loading}</Text>;
  const glossary = loaded.data.glossary;
  const said = (text: Both | undefined) => (language === "zh" ? text?.zh || text?.en : text?.en || text?.zh) ?? "";
  const keep = async (next: Glossary) => {
    await put("/connections/{connection_id}/glossary", {
      path: { connection_id: connection },
      body: { glossary: next },
    });
    notify(t.knowledge.glossarySaved);
    await loaded.reload();
  };
  const part = (kind: Entry["kind"], title: string, add: string) => {
    const entries = Object.entries(glossary[kind] ?? {}) as [string, Partial<Term & Metric>][];
    return (
      <section aria-label={title}>
        <h2>
          {title} <Count>{entries.length}</Count>
          <Spring />
          {mayEdit && (
            <Button icon="plus" onClick={() => setEditing({ entry: blankEntry(kind), before: "" })}>
              {add}
            </Button>
          )}
        </h2>
        <Cards>
          {entries.map(([name, about]) => (
            <EntryCard key={name}>
              <div>
                <h3>
                  {said(about.label) || name}
                  {said(about.label) && said(about.label) !== name && <code className={styles.key}>{name}</code>}
                </h3>
                <Text muted>{said(about.meaning ?? about.description)}</Text>
                {about.numerator && (
                  <code>
                    {about.numerator} / {about.denominator}
                  </code>
                )}
                {about.expression && (
                  <code>
                    {about.expression}
                    {about.filter ? ` WHERE ${about.filter}` : ""}
                  </code>
                )}
                <OtherWords words={about.synonyms ?? []} />
              </div>
              {mayEdit && (
                <Row>
                  <IconButton
                    icon="edit"
                    label={t.app.colon(t.app.edit) + name}
                    onClick={() => setEditing({ entry: entryOf(kind, name, glossary), before: name })}
                  />
                  <RemoveButton what={name} onRemove={() => keep(withoutEntry(glossary, kind, name))} />
                </Row>
              )}
            </EntryCard>
          ))}
        </Cards>
      </section>
    );
  };
  return (
    <Stack>
      <Toolbar>
        <Spring />
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
      </Toolbar>
      {part("metrics", t.knowledge.metrics, t.knowledge.addMetric)}
      {part("terms", t.knowledge.terms, t.knowledge.addTerm)}
      <section aria-label={t.knowledge.valueMappings}>
        <h2>{t.knowledge.valueMappings}</h2>
        <Cards>
          {Object.entries(glossary.values ?? {}).map(([column, values]) => (
            <EntryCard key={column}>
              <div>
                <h3>{column}</h3>
                <ul className={styles.mappings}>
                  {Object.entries(values).map(([value, words]) => (
                    <li key={value}>
                      <code>{value}</code>{" "}
                      <Text as="span" muted>
                        {words.join(", ")}
                      </Text>
                    </li>
                  ))}
                </ul>
              </div>
            </EntryCard>
          ))}
        </Cards>
      </section>
      {editing && (
        <EntryDialog
          start={editing.entry}
          ratio={Boolean(glossary.metrics?.[editing.before]?.numerator) && editing.entry.kind === "metrics"}
          onClose={() => setEditing(null)}
          onSave={(entry) => keep(withEntry(glossary, entry, editing.before))}
        />
      )}
    </Stack>
  );
}

/** The first words of an entry; all of them by a click, for a measure may have thirty. */
function OtherWords({ words }: { words: string[] }) {
  const t = useText();
  const [all, setAll] = useState(false);
  if (!words.length) return null;
  const shown = all ? words : words.slice(0, FEW);
  return (
    <Tags className={styles.words}>
      {shown.map((word) => (
        <li key={word}>{word}</li>
      ))}
      {shown.length < words.length && (
        <li className={styles.more}>
          <LinkButton type="button" onClick={() => setAll(true)}>
            {t.knowledge.moreWords(words.length - shown.length)}
          </LinkButton>
        </li>
      )}
    </Tags>
  );
}

/** What stands in the fields that want SQL, of a shop that anybody can picture. */
const SUCH_AS: Partial<Record<keyof Entry, string>> = {
  expression: "SUM(orders.amount)",
  filter: "orders.status <> 'cancelled'",
  tables: "orders, order_items",
};

function EntryDialog({
  start,
  ratio,
  onClose,
  onSave,
}: {
  start: Entry;
  /** A measure that is one over another has no expression of its own. */
  ratio: boolean;
  onClose: () => void;
  onSave: (entry: Entry) => Promise<void>;
}) {
  const t = useText();
  const [entry, setEntry] = useState(start);
  const metric = entry.kind === "metrics";
  const said = (entry.en || entry.zh).trim();
  const line = (label: string, key: keyof Entry, required = false) => (
    <Field label={label}>
      {(id) => (
        <input
          id={id}
          required={required}
          maxLength={2000}
          placeholder={SUCH_AS[key]}
          value={entry[key]}
          onChange={(event) => setEntry({ ...entry, [key]: event.target.value })}
        />
      )}
    </Field>
  );
  return (
    <FormDialog
      title={start.name || (metric ? t.knowledge.addMetric : t.knowledge.addTerm)}
      ready={entry.name.trim() !== "" && (metric ? ratio || entry.expression.trim() !== "" : said !== "")}
      onClose={onClose}
      onSend={() => onSave(entry)}
    >
      {line(t.knowledge.term, "name", true)}
      {metric && line(`${t.knowledge.label} (${t.data.english})`, "labelEn")}
      {metric && line(`${t.knowledge.label} (${t.data.chinese})`, "labelZh")}
      {metric && !ratio && line(t.knowledge.expression, "expression", true)}
      {metric && !ratio && line(t.knowledge.condition, "filter")}
      {metric && line(t.data.tables, "tables")}
      {line(`${t.knowledge.meaning} (${t.data.english})`, "en")}
      {line(`${t.knowledge.meaning} (${t.data.chinese})`, "zh")}
      {line(t.knowledge.synonyms, "synonyms")}
    </FormDialog>
  );
}
