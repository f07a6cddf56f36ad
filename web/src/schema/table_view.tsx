import { useRef, useState } from "react";
import { get, put } from "../api/client";
import type { Both, Glossary } from "../api/undescribed";
import { useLoad, type Loaded } from "../app/load";
import { usePreferences } from "../app/preferences";
import { useText } from "../i18n";
import { formatNumber } from "../i18n/format";
import { Badge } from "../ui/badge";
import { Button, IconButton, LinkButton } from "../ui/button";
import { TextField } from "../ui/field";
import { closeInto } from "../ui/focus";
import { Form } from "../ui/form";
import { Icon } from "../ui/icons";
import { Problem, useAttempt } from "../ui/notice";
import { Row } from "../ui/row";
import { TableFrame } from "../ui/table_frame";
import { Text } from "../ui/text";
import { meanings } from "./codes";
import { ColumnEditor } from "./column_editor";
import { columnSaid, said } from "./described";
import { FirstRows } from "./first_rows";
import styles from "./table_view.module.css";

/** The whole table rather than a column of it. */
const TABLE = "";
const NUMERIC = /int|real|num|dec|doub|float|money/i;

/** One table: what it holds, its columns with examples, its first rows, and what it is joined to; words are edited in place. */
export function TableView({
  connection,
  table,
  glossary,
  mayEdit,
  onChoose,
}: {
  connection: string;
  table: string;
  glossary: Loaded<Glossary>;
  mayEdit: boolean;
  onChoose: (name: string) => void;
}) {
  const t = useText();
  const { language } = usePreferences();
  const [editing, setEditing] = useState<string | null>(null);
  const [times, setTimes] = useState(0);
  const view = useRef<HTMLElement>(null);
  const close = (what: string) =>
    closeInto(
      () => setEditing(null),
      () => view.current?.querySelector<HTMLElement>(`[data-edits="${CSS.escape(what)}"]`),
    );
  const details = useLoad(`table ${connection} ${table}`, () =>
    get("/connections/{connection_id}/tables/{table}", { path: { connection_id: connection, table } }),
  );
  if (details.error) return <Problem error={details.error} onRetry={details.reload} />;
  if (!details.data) return <Text muted>{t.app.loading}</Text>;
  const found = details.data;
  const told = glossary.data?.tables?.[found.name];
  const saved = async () => {
    await Promise.all([glossary.reload(), details.reload()]);
    setTimes(times + 1); // the rows are asked for anew, for their columns are called otherwise now
  };
  return (
    <article className={styles.tableView} ref={view}>
      <header>
        <h2>{found.name}</h2>
        <Text as="span" muted>
          {found.rows !== null && t.data.rows(formatNumber(found.rows, language))}
        </Text>
      </header>
      {editing === TABLE ? (
        <TableEditor
          connection={connection}
          table={found.name}
          about={told?.description ?? {}}
          onClose={() => close(TABLE)}
          onSaved={saved}
        />
      ) : (
        <Text muted className={styles.described}>
          {said(told?.description, language) || found.comment}
          {mayEdit && (
            <IconButton
              icon="edit"
              size={14}
              label={t.app.colon(t.data.describe) + found.name}
              data-edits={TABLE}
              onClick={() => setEditing(TABLE)}
            />
          )}
        </Text>
      )}
      <TableFrame className={styles.frame} tabIndex={0} role="region" aria-label={t.data.columns}>
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
            {found.columns.map((column) => {
              const told = columnSaid(glossary.data, found.name, column.name);
              const called = said(told.shown.label, language);
              const meant = meanings(told.values, language);
              return editing === column.name ? (
                <tr key={column.name}>
                  <td colSpan={4}>
                    <b>{column.name}</b>
                    <ColumnEditor
                      connection={connection}
                      table={found.name}
                      column={column.name}
                      isNumber={NUMERIC.test(column.type)}
                      said={told}
                      onClose={() => close(column.name)}
                      onSaved={saved}
                    />
                  </td>
                </tr>
              ) : (
                <tr key={column.name}>
                  <td className={styles.name}>
                    {column.primary_key && (
                      <span title={t.data.key}>
                        <Icon name="key" size={14} />
                      </span>
                    )}
                    {column.name}
                  </td>
                  <td>
                    <code>{column.type.toLowerCase()}</code>
                    {told.shown.format && (
                      <Badge>{[t.data.formats[told.shown.format], told.shown.unit].filter(Boolean).join(" ")}</Badge>
                    )}
                  </td>
                  <td className={styles.described}>
                    {called && <b>{t.app.colon(called)}</b>}
                    {said(told.about, language) || column.comment}
                    {mayEdit && (
                      <IconButton
                        icon="edit"
                        size={14}
                        label={t.app.colon(t.data.describe) + column.name}
                        data-edits={column.name}
                        onClick={() => setEditing(column.name)}
                      />
                    )}
                  </td>
                  <Text as="td" muted className={styles.samples}>
                    {meant.length ? meant.slice(0, 4).join("; ") : column.samples.slice(0, 4).join(", ")}
                  </Text>
                </tr>
              );
            })}
          </tbody>
        </table>
      </TableFrame>
      <section aria-label={t.data.firstRows}>
        <h3>{t.data.firstRows}</h3>
        <FirstRows key={times} connection={connection} table={found.name} />
      </section>
      {found.joins.length > 0 && (
        <section>
          <h3>{t.data.joins}</h3>
          <ul className={styles.joins}>
            {found.joins.map((join, place) => {
              const other = join.left === found.name ? join.right : join.left;
              return (
                <li key={place}>
                  <LinkButton type="button" onClick={() => onChoose(other)}>
                    {other}
                  </LinkButton>
                  <code>
                    {join.left}.{join.left_columns.join("+")} = {join.right}.{join.right_columns.join("+")}
                  </code>
                  <Badge>{join.declared ? t.data.declared : t.data.inferred}</Badge>
                </li>
              );
            })}
          </ul>
        </section>
      )}
    </article>
  );
}

type TableProps = {
  connection: string;
  table: string;
  about: Both;
  onClose: () => void;
  onSaved: () => Promise<void>;
};

/** What a table holds, said where it is read. */
function TableEditor({ connection, table, about, onClose, onSaved }: TableProps) {
  const t = useText();
  const attempt = useAttempt();
  const [words, setWords] = useState({ en: about.en ?? "", zh: about.zh ?? "" });
  const save = async () => {
    const body = { table, column: null, ...words };
    const path = { connection_id: connection };
    if (!(await attempt(() => put("/connections/{connection_id}/descriptions", { path, body })))) return;
    await onSaved();
    onClose();
  };
  return (
    <Form
      aria-label={t.app.colon(t.data.describeTable) + table}
      onKeyDown={(event) => event.key === "Escape" && onClose()}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <TextField
        autoFocus
        label={t.data.meaningIn(t.data.english)}
        maxLength={2000}
        value={words.en}
        onText={(en) => setWords({ ...words, en })}
      />
      <TextField
        label={t.data.meaningIn(t.data.chinese)}
        maxLength={2000}
        value={words.zh}
        onText={(zh) => setWords({ ...words, zh })}
      />
      <Row end>
        <Button onClick={onClose}>{t.app.cancel}</Button>
        <Button kind="primary" type="submit">
          {t.app.save}
        </Button>
      </Row>
    </Form>
  );
}
