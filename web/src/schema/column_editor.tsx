import { useState } from "react";
import { put } from "../api/client";
import type { ShownFormat } from "../api/undescribed";
import { useText } from "../i18n";
import { Button } from "../ui/button";
import { Field, Select, TextField } from "../ui/field";
import { Form } from "../ui/form";
import { Problem } from "../ui/notice";
import { Row } from "../ui/row";
import { readCodes, writeCodes } from "./codes";
import type { ColumnSaid } from "./described";
import styles from "./column_editor.module.css";

const FORMATS: ShownFormat[] = ["", "number", "count", "money", "percent", "fraction"];

type Props = {
  connection: string;
  table: string;
  column: string;
  isNumber: boolean;
  said: ColumnSaid;
  onClose: () => void;
  onSaved: () => Promise<void>;
};

/** What a column is called and means, where it stands in the table; answers use it from the next question on. */
export function ColumnEditor({ connection, table, column, isNumber, said, onClose, onSaved }: Props) {
  const t = useText();
  const [label, setLabel] = useState({ en: said.shown.label?.en ?? "", zh: said.shown.label?.zh ?? "" });
  const [about, setAbout] = useState({ en: said.about.en ?? "", zh: said.about.zh ?? "" });
  const [format, setFormat] = useState<ShownFormat>(said.shown.format ?? "");
  const [unit, setUnit] = useState(said.shown.unit ?? "");
  const [codes, setCodes] = useState(writeCodes(said.values));
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const save = async () => {
    setBusy(true);
    setError(null);
    try {
      await put("/connections/{connection_id}/tables/{table}/columns/{column}", {
        path: { connection_id: connection, table, column },
        body: { label, description: about, format, unit: format === "money" ? unit : "", values: readCodes(codes) },
      });
      await onSaved();
      onClose();
    } catch (problem) {
      setError(problem);
      setBusy(false);
    }
  };
  return (
    <Form
      className={styles.editor}
      aria-label={t.data.editColumn(column)}
      onKeyDown={(event) => event.key === "Escape" && onClose()}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <TextField
        autoFocus
        label={t.data.calledIn(t.data.english)}
        maxLength={100}
        value={label.en}
        onText={(en) => setLabel({ ...label, en })}
      />
      <TextField
        label={t.data.calledIn(t.data.chinese)}
        maxLength={100}
        value={label.zh}
        onText={(zh) => setLabel({ ...label, zh })}
      />
      <TextField
        label={t.data.meaningIn(t.data.english)}
        maxLength={2000}
        value={about.en}
        onText={(en) => setAbout({ ...about, en })}
      />
      <TextField
        label={t.data.meaningIn(t.data.chinese)}
        maxLength={2000}
        value={about.zh}
        onText={(zh) => setAbout({ ...about, zh })}
      />
      {isNumber && (
        <Select
          label={t.data.format}
          value={format}
          choices={FORMATS.map((each) => ({ value: each, label: t.data.formats[each] }))}
          onChange={setFormat}
        />
      )}
      {format === "money" && <TextField label={t.data.unit} maxLength={20} value={unit} onText={setUnit} />}
      <div className={styles.wide}>
        <Field label={t.data.codes} help={t.data.codesHelp}>
          {(id) => <textarea id={id} rows={3} value={codes} onChange={(event) => setCodes(event.target.value)} />}
        </Field>
      </div>
      {error !== null && (
        <div className={styles.wide}>
          <Problem error={error} />
        </div>
      )}
      <Row end className={styles.wide}>
        <Button onClick={onClose}>{t.app.cancel}</Button>
        <Button kind="primary" type="submit" busy={busy}>
          {t.app.save}
        </Button>
      </Row>
    </Form>
  );
}
