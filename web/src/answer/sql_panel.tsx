import { useRef, useState } from "react";
import type { Reading, SqlResult } from "../api/types";
import { useText } from "../i18n";
import { Button } from "../ui/button";
import { copyText } from "../ui/copy";
import { classes } from "../ui/dressed";
import { closeInto } from "../ui/focus";
import { Icon } from "../ui/icons";
import { notify, Problem } from "../ui/notice";
import { Row } from "../ui/row";
import { HowRead } from "./reading";
import { SqlEditor } from "./sql_editor";
import { spread } from "./sql_text";
import { runStatement } from "./statement";
import styles from "./sql_panel.module.css";

type Props = {
  sql: string;
  attempts: string[];
  reading: Reading;
  connection: string;
  question: string;
  threadId: string;
  /** What was run before in place of the statement. */
  draft: string;
  onRan: (ran: SqlResult, text: string) => void;
  onReset: () => void;
  mayRun: boolean;
  fixing?: boolean;
};

/** The statement with how the question was read above it; it can be changed and run again. */
export function SqlPanel({
  draft,
  sql,
  attempts,
  reading,
  connection,
  question,
  threadId,
  onRan,
  onReset,
  mayRun,
  fixing = false,
}: Props) {
  const t = useText();
  const first = spread(sql);
  const [text, setText] = useState(draft || first);
  const [editing, setEditing] = useState(fixing || draft !== "");
  const changed = text.trim() !== first.trim();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const earlier = attempts.filter((attempt) => attempt !== sql);
  const run = async () => {
    setBusy(true);
    setError(null);
    try {
      onRan(await runStatement(connection, text, question, threadId), text);
    } catch (problem) {
      setError(problem);
    } finally {
      setBusy(false);
    }
  };
  const panel = useRef<HTMLDivElement>(null);
  const edit = () =>
    closeInto(
      () => setEditing(true),
      () => panel.current?.querySelector("textarea"),
    );
  const reset = () =>
    closeInto(
      () => {
        setText(first);
        setEditing(false);
        setError(null);
        onReset();
      },
      () => panel.current?.querySelector<HTMLElement>("[data-edits]"),
    );
  return (
    <div className={styles.sqlPanel} ref={panel}>
      <HowRead reading={reading} />
      <SqlEditor value={text} onChange={setText} readOnly={!editing} label={t.answer.sql} onRun={run} />
      <Row>
        {editing ? (
          <Button kind="primary" icon="send" busy={busy} disabled={!text.trim()} onClick={run}>
            {busy ? t.answer.running : t.answer.run}
          </Button>
        ) : (
          mayRun && (
            <Button icon="edit" data-edits onClick={edit}>
              {t.app.edit}
            </Button>
          )
        )}
        <Button
          kind="quiet"
          icon="copy"
          onClick={() => {
            void copyText(text);
            notify(t.app.copied);
          }}
        >
          {t.app.copy}
        </Button>
        {editing && (
          <Button kind="quiet" onClick={reset}>
            {t.answer.reset}
          </Button>
        )}
        {changed ? (
          <span className={classes(styles.guarded, styles.later)}>{t.answer.guardNext}</span>
        ) : (
          <span className={styles.guarded}>
            <Icon name="shield" size={15} /> {t.answer.guard}
          </span>
        )}
      </Row>
      {error !== null && <Problem error={error} />}
      {earlier.length > 0 && (
        <details>
          <summary>{t.answer.attempts}</summary>
          {earlier.map((attempt, place) => (
            <SqlEditor key={place} value={spread(attempt)} readOnly label={t.answer.attempts} />
          ))}
        </details>
      )}
    </div>
  );
}
