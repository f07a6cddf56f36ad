import { useState } from "react";
import { get, put } from "../api/client";
import { useLoad, type Loaded } from "../app/load";
import { usePreferences } from "../app/preferences";
import { useText } from "../i18n";
import { formatNumber } from "../i18n/format";
import { Button, IconButton } from "../ui/button";
import { Dialog } from "../ui/dialog";
import { Field } from "../ui/field";
import { Icon } from "../ui/icons";
import { Problem, useAttempt } from "../ui/notice";
import { said as saidIn, type About, type Descriptions } from "./described";

type Editing = { column: string | null; en: string; zh: string };

/** One table: what it holds, its columns with examples, and what it is joined to. */
export function TableView({
  connection,
  table,
  descriptions,
  mayEdit,
  onChoose,
}: {
  connection: string;
  table: string;
  descriptions: Loaded<Descriptions>;
  mayEdit: boolean;
  onChoose: (name: string) => void;
}) {
  const t = useText();
  const { language } = usePreferences();
  const attempt = useAttempt();
  const [editing, setEditing] = useState<Editing | null>(null);
  const details = useLoad(`table ${connection} ${table}`, () =>
    get("/connections/{connection_id}/tables/{table}", { path: { connection_id: connection, table } }),
  );
  if (details.error) return <Problem error={details.error} onRetry={details.reload} />;
  if (!details.data) return <p className="muted">{t.app.loading}</p>;
  const found = details.data;
  const told = descriptions.data?.[found.name];
  const said = (about: About | undefined) => saidIn(about, language);
  const edit = (column: string | null) => {
    const about = column === null ? told?.description : told?.columns?.[column];
    setEditing({ column, en: about?.en ?? "", zh: about?.zh ?? "" });
  };
  const save = async () => {
    if (!editing) return;
    const saved = await attempt(() =>
      put("/connections/{connection_id}/descriptions", {
        path: { connection_id: connection },
        body: { table: found.name, ...editing },
      }),
    );
    if (!saved) return;
    setEditing(null);
    await Promise.all([descriptions.reload(), details.reload()]);
  };
  return (
    <article className="table-view">
      <header>
        <h2>{found.name}</h2>
        <span className="muted">{found.rows !== null && t.data.rows(formatNumber(found.rows, language))}</span>
      </header>
      <p className="muted described">
        {said(told?.description) || found.comment}
        {mayEdit && (
          <IconButton icon="edit" size={14} label={`${t.data.describe}: ${found.name}`} onClick={() => edit(null)} />
        )}
      </p>
      <div className="plain-table" tabIndex={0} role="region" aria-label={t.data.columns}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t.data.column}</th>
              <th scope="col">{t.data.type}</th>
              <th scope="col">{t.data.description}</th>
              <th scope="col">{t.data.samples}</th>
            </tr>
          </thead>
          <tbody>
            {found.columns.map((column) => (
              <tr key={column.name}>
                <td className="name">
                  {column.primary_key && (
                    <span title={t.data.key}>
                      <Icon name="key" size={14} />
                    </span>
                  )}
                  {column.name}
                </td>
                <td>
                  <code>{column.type.toLowerCase()}</code>
                </td>
                <td className="described">
                  {said(told?.columns?.[column.name]) || column.comment}
                  {mayEdit && (
                    <IconButton
                      icon="edit"
                      size={14}
                      label={`${t.data.describe}: ${column.name}`}
                      onClick={() => edit(column.name)}
                    />
                  )}
                </td>
                <td className="muted samples">{column.samples.slice(0, 4).join(", ")}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {found.joins.length > 0 && (
        <section>
          <h3>{t.data.joins}</h3>
          <ul className="joins">
            {found.joins.map((join, place) => {
              const other = join.left === found.name ? join.right : join.left;
              return (
                <li key={place}>
                  <button type="button" className="link" onClick={() => onChoose(other)}>
                    {other}
                  </button>
                  <code>
                    {join.left}.{join.left_columns.join("+")} = {join.right}.{join.right_columns.join("+")}
                  </code>
                  <span className="badge">{join.declared ? t.data.declared : t.data.inferred}</span>
                </li>
              );
            })}
          </ul>
        </section>
      )}
      {editing && (
        <Dialog
          title={editing.column ? `${found.name}.${editing.column}` : `${t.data.describeTable}: ${found.name}`}
          onClose={() => setEditing(null)}
        >
          <form
            className="form"
            onSubmit={(event) => {
              event.preventDefault();
              void save();
            }}
          >
            <Field label={t.data.english}>
              {(id) => (
                <textarea
                  id={id}
                  rows={3}
                  maxLength={2000}
                  value={editing.en}
                  onChange={(event) => setEditing({ ...editing, en: event.target.value })}
                />
              )}
            </Field>
            <Field label={t.data.chinese}>
              {(id) => (
                <textarea
                  id={id}
                  rows={3}
                  maxLength={2000}
                  value={editing.zh}
                  onChange={(event) => setEditing({ ...editing, zh: event.target.value })}
                />
              )}
            </Field>
            <div className="row end">
              <Button onClick={() => setEditing(null)}>{t.app.cancel}</Button>
              <Button kind="primary" type="submit">
                {t.app.save}
              </Button>
            </div>
          </form>
        </Dialog>
      )}
    </article>
  );
}
