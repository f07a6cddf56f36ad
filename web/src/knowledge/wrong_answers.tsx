import { useState } from "react";
import { get, post, remove } from "../api/client";
import type { WrongAnswer } from "../api/types";
import { SqlEditor } from "../answer/sql_editor";
import { spread } from "../answer/sql_text";
import { useLoad } from "../app/load";
import { usePreferences } from "../app/preferences";
import { useText } from "../i18n";
import { formatMoment } from "../i18n/format";
import { Button } from "../ui/button";
import { TextField } from "../ui/field";
import { FormDialog } from "../ui/form_dialog";
import { notify, Problem, useAttempt } from "../ui/notice";
import styles from "./wrong_answers.module.css";

/** Answers that people called wrong: what they said was wrong, to be corrected once for everybody. */
export function WrongAnswers({ connection, onKept }: { connection: string; onKept: () => Promise<void> }) {
  const t = useText();
  const { language } = usePreferences();
  const attempt = useAttempt();
  const [correcting, setCorrecting] = useState<WrongAnswer | null>(null);
  const wrong = useLoad(`wrong ${connection}`, () =>
    get("/connections/{connection_id}/feedback", { path: { connection_id: connection } }),
  );
  if (wrong.error) return <Problem error={wrong.error} onRetry={wrong.reload} />;
  if (!wrong.data?.length) return null;
  const settle = async (answer: WrongAnswer) => {
    await attempt(() => remove("/feedback/{run_id}", { path: { run_id: answer.run_id } }));
    await wrong.reload();
  };
  const reasons: Record<string, string> = t.chat.wrong.reasons;
  return (
    <section aria-label={t.knowledge.wrong}>
      <h2>
        {t.knowledge.wrong} <span className="count">{wrong.data.length}</span>
      </h2>
      <ul className="cards">
        {wrong.data.map((answer) => (
          <li key={answer.run_id} className="card sample">
            <header>
              <span className="grow">{answer.question}</span>
              {answer.reason && <span className="badge warn">{reasons[answer.reason] ?? answer.reason}</span>}
              <Button
                icon="edit"
                aria-label={t.app.colon(t.knowledge.correct) + answer.question}
                onClick={() => setCorrecting(answer)}
              >
                {t.knowledge.correct}
              </Button>
              <Button
                kind="quiet"
                icon="check"
                aria-label={t.app.colon(t.knowledge.settle) + answer.question}
                onClick={() => void settle(answer)}
              >
                {t.knowledge.settle}
              </Button>
            </header>
            {answer.note && <p className={styles.said}>{answer.note}</p>}
            <p className={`muted small ${styles.said}`}>
              {t.knowledge.wrongBy(answer.user, formatMoment(answer.at, language))}
            </p>
          </li>
        ))}
      </ul>
      {correcting && (
        <Correction
          connection={connection}
          answer={correcting}
          onClose={() => setCorrecting(null)}
          onDone={async () => {
            await settle(correcting);
            await onKept();
            notify(t.knowledge.corrected);
          }}
        />
      )}
    </section>
  );
}

type CorrectionProps = {
  connection: string;
  answer: WrongAnswer;
  onClose: () => void;
  onDone: () => Promise<void>;
};

/** The question and its statement, put right; whoever reviews approves with the same click. */
function Correction({ connection, answer, onClose, onDone }: CorrectionProps) {
  const t = useText();
  const [question, setQuestion] = useState(answer.question);
  const [sql, setSql] = useState(spread(answer.sql));
  const keep = async () => {
    const path = { connection_id: connection };
    const made = await post("/connections/{connection_id}/samples", { path, body: { question, sql } });
    await post("/samples/{sample_id}/approve", { path: { sample_id: made.id } });
    await onDone();
  };
  return (
    <FormDialog
      title={t.knowledge.correctTitle}
      ready={question.trim() !== "" && sql.trim() !== ""}
      onClose={onClose}
      onSend={keep}
    >
      {answer.note && <p className="muted">{answer.note}</p>}
      <TextField label={t.knowledge.question} required maxLength={4000} value={question} onText={setQuestion} />
      <div className="field">
        <span className="label">{t.knowledge.sql}</span>
        <SqlEditor value={sql} onChange={setSql} label={t.knowledge.sql} />
      </div>
    </FormDialog>
  );
}
