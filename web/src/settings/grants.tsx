import { useState } from "react";
import { get, patch, put, remove } from "../api/client";
import type { Connection, GrantInfo, Join, UserInfo } from "../api/types";
import { useLoad } from "../app/load";
import { useWorld } from "../app/world";
import { useText } from "../i18n";
import { Badge } from "../ui/badge";
import { Button, IconButton } from "../ui/button";
import { Dialog } from "../ui/dialog";
import { Field } from "../ui/field";
import { Check, Form } from "../ui/form";
import { Lines, Warnings } from "../ui/lists";
import { notify, Problem, useAttempt } from "../ui/notice";
import { Row, Spring } from "../ui/row";
import styles from "./grants.module.css";

/** For whom rules are: a person, or a group of people. */
export type Subject = { kind: "user" | "group"; id: string; name: string };

/** The databases a person or a group may ask, and the rules within each; of a person also what rules go by. */
export function Grants({
  subject,
  user,
  onClose,
  onChanged,
}: {
  subject: Subject;
  user?: UserInfo;
  onClose: () => void;
  onChanged: () => Promise<void>;
}) {
  const t = useText();
  const attempt = useAttempt();
  const { connections } = useWorld();
  const [open, setOpen] = useState("");
  const grants = useLoad("grants", () => get("/grants"));
  const own = (grants.data ?? []).filter((grant) => grant.kind === subject.kind && grant.subject === subject.name);
  const toggle = async (connection: string) => {
    const found = own.find((grant) => grant.connection_id === connection);
    await attempt(() =>
      found
        ? remove("/grants/{grant_id}", { path: { grant_id: found.id } })
        : put("/grants", { body: { connection_id: connection, kind: subject.kind, subject: subject.id } }),
    );
    await grants.reload();
  };
  return (
    <Dialog title={t.app.colon(t.settings.databases) + subject.name} onClose={onClose}>
      {user && <Attributes user={user} onSaved={onChanged} />}
      {grants.error && <Problem error={grants.error} onRetry={grants.reload} />}
      <Lines>
        {connections.map((connection) => {
          const grant = own.find((each) => each.connection_id === connection.id);
          return (
            <li key={connection.id}>
              <Row>
                <Check>
                  <input
                    type="checkbox"
                    disabled={!grants.data}
                    checked={grant !== undefined}
                    onChange={() => void toggle(connection.id)}
                  />
                  <span>{connection.name}</span>
                  {grant && isLimited(grant) && <Badge>{t.settings.limited}</Badge>}
                </Check>
                <Spring />
                {grant && (
                  <Button
                    kind="quiet"
                    aria-expanded={open === connection.id}
                    onClick={() => setOpen(open === connection.id ? "" : connection.id)}
                  >
                    {t.settings.rules}
                  </Button>
                )}
              </Row>
              {grant && open === connection.id && (
                <RulesForm
                  key={grant.id}
                  subject={subject}
                  connection={connection}
                  grant={grant}
                  onSaved={grants.reload}
                />
              )}
            </li>
          );
        })}
      </Lines>
    </Dialog>
  );
}

/** What is known of a person, for rules that go by it: one `name = value` a line. */
function Attributes({ user, onSaved }: { user: UserInfo; onSaved: () => Promise<void> }) {
  const t = useText();
  const [text, setText] = useState(
    Object.entries(user.attributes)
      .map(([name, value]) => `${name} = ${value}`)
      .join("\n"),
  );
  const [error, setError] = useState<unknown>(null);
  const save = async () => {
    setError(null);
    const pairs = text
      .split("\n")
      .filter((line) => line.trim())
      .map((line) => line.split(/=(.*)/s))
      .map(([name = "", value = ""]): [string, string] => [name.trim(), value.trim()]);
    try {
      await patch("/users/{user_id}", { path: { user_id: user.id }, body: { attributes: Object.fromEntries(pairs) } });
      notify(t.app.saved);
      await onSaved();
    } catch (problem) {
      setError(problem);
    }
  };
  return (
    <Form
      aria-label={t.settings.attributes}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Field label={t.settings.attributes} help={t.settings.attributesHelp}>
        {(id) => (
          <textarea
            id={id}
            rows={2}
            placeholder="region = east"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </Field>
      {error !== null && <Problem error={error} />}
      <Row end>
        <Button type="submit">{t.settings.saveAttributes}</Button>
      </Row>
    </Form>
  );
}

function isLimited({ rules }: GrantInfo): boolean {
  return (
    !rules.downloads ||
    rules.tables != null ||
    rules.hidden_columns.length > 0 ||
    Object.keys(rules.row_filters ?? {}).length > 0
  );
}

/** The tables whose rows refer to those of a table, and stay as they are when it is filtered. */
export function referring(table: string, joins: Pick<Join, "left" | "right">[]): string[] {
  return [...new Set(joins.filter((join) => join.right === table && join.left !== table).map((join) => join.left))];
}

type Filter = { table: string; condition: string };

/** Which rows and columns of a database are not seen, and whether it may be downloaded; the server tries every rule. */
function RulesForm({
  subject,
  connection,
  grant,
  onSaved,
}: {
  subject: Subject;
  connection: Connection;
  grant: GrantInfo;
  onSaved: () => Promise<void>;
}) {
  const t = useText();
  const tables = useLoad(`tables of ${connection.id}`, () =>
    get("/connections/{connection_id}/tables", { path: { connection_id: connection.id }, query: { limit: 1000 } }),
  );
  const joins = useLoad(`joins of ${connection.id}`, () =>
    get("/connections/{connection_id}/joins", { path: { connection_id: connection.id } }),
  );
  const [hidden, setHidden] = useState(grant.rules.hidden_columns.join("\n"));
  const [filters, setFilters] = useState<Filter[]>(
    Object.entries(grant.rules.row_filters ?? {}).map(([table, condition]) => ({ table, condition })),
  );
  const [downloads, setDownloads] = useState(grant.rules.downloads);
  const [error, setError] = useState<unknown>(null);
  const [warnings, setWarnings] = useState<string[]>([]);
  const change = (place: number, part: Partial<Filter>) =>
    setFilters(filters.map((filter, at) => (at === place ? { ...filter, ...part } : filter)));
  const save = async () => {
    setError(null);
    const rules = {
      ...grant.rules,
      downloads,
      hidden_columns: hidden.split(/[\s,，]+/).filter(Boolean),
      row_filters: Object.fromEntries(
        filters.filter((filter) => filter.table && filter.condition.trim()).map((f) => [f.table, f.condition.trim()]),
      ),
    };
    try {
      const made = await put("/grants", {
        body: { connection_id: connection.id, kind: subject.kind, subject: subject.id, rules },
      });
      setWarnings(made.warnings);
      notify(t.app.saved);
      if (!made.warnings.length) await onSaved();
    } catch (problem) {
      setError(problem);
    }
  };
  return (
    <Form
      className={styles.rules}
      aria-label={t.app.colon(t.settings.rules) + connection.name}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <fieldset>
        <legend>{t.settings.rowRules}</legend>
        {filters.map((filter, place) => (
          <div key={place}>
            <Row>
              <select
                aria-label={t.settings.ruleTable}
                value={filter.table}
                onChange={(event) => change(place, { table: event.target.value })}
              >
                <option value="">{t.settings.ruleTable}</option>
                {[...new Set([filter.table, ...(tables.data?.tables ?? []).map((each) => each.name)])]
                  .filter(Boolean)
                  .map((name) => (
                    <option key={name}>{name}</option>
                  ))}
              </select>
              <input
                aria-label={t.settings.ruleCondition}
                placeholder={"region = {user.region}"}
                value={filter.condition}
                onChange={(event) => change(place, { condition: event.target.value })}
              />
              <IconButton
                icon="trash"
                label={t.app.colon(t.app.remove) + filter.table}
                onClick={() => setFilters(filters.filter((_, at) => at !== place))}
              />
            </Row>
            {filter.table && (
              <small>{t.settings.onlyThisTable(filter.table, referring(filter.table, joins.data ?? []))}</small>
            )}
          </div>
        ))}
        <Button kind="quiet" icon="plus" onClick={() => setFilters([...filters, { table: "", condition: "" }])}>
          {t.settings.addRule}
        </Button>
        <small>{t.settings.rowRulesHelp}</small>
      </fieldset>
      <Field label={t.settings.hiddenColumns} help={t.settings.hiddenColumnsHelp}>
        {(id) => <textarea id={id} rows={2} value={hidden} onChange={(event) => setHidden(event.target.value)} />}
      </Field>
      <Check>
        <input type="checkbox" checked={downloads} onChange={(event) => setDownloads(event.target.checked)} />
        <span>{t.settings.downloads}</span>
      </Check>
      {warnings.length > 0 && (
        <Warnings>
          {warnings.map((warning) => (
            <li key={warning}>{warning}</li>
          ))}
        </Warnings>
      )}
      {error !== null && <Problem error={error} />}
      <Row end>
        <Button kind="primary" type="submit">
          {t.app.save}
        </Button>
      </Row>
    </Form>
  );
}
