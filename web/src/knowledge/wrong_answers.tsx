import { useState } from "react";
import { get, post, remove } from "../api/client";
import type { WrongAnswer } from "../api/types";
import { SqlEditor } from "../answer/sql_editor";
import { spread } from "../answer/sql_text";
import { useLoad } from "../app/load";
import { usePreferences } from "../app/preferences";
import { useText } from "../i18n";
import { formatMoment } from "../i18n/format";
import { Badge } from "../ui/badge";
import { Button } from "../ui/button";
import { Cards } from "../ui/card";
import { Labelled, TextField } from "../ui/field";
import { FormDialog } from "../ui/form_dialog";
import { notify, Problem, useAttempt } from "../ui/notice";
import { Count } from "../ui/page";
import { Text } from "../ui/text";
import { SampleSheet } from "./sample_sheet";
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
        {t.knowledge.wrong} <Count>{wrong.data.length}</Count>
      </h2>
      <Cards>
        {wrong.data.map((answer) => (
          <SampleSheet key={answer.run_id}>
            <header>
              <span className={styles.grow}>{answer.question}</span>
              {answer.reason ? (
                <Badge kind="warn">{reasons[answer.reason] ?? answer.reason}</Badge>
              ) : (
                <Badge>{t.knowledge.noReason}</Badge>
              )}
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
            <Text muted small className={styles.said}>
              {t.knowledge.wrongBy(answer.user, formatMoment(answer.at, language))}
            </Text>
          </SampleSheet>
        ))}
      </Cards>
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
      {answer.note && <Text muted>{answer.note}</Text>}
      <TextField label={t.knowledge.question} required maxLength={4000} value={question} onText={setQuestion} />
      <Labelled label={t.knowledge.sql}>
        <SqlEditor value={sql} onChange={setSql} label={t.knowledge.sql} />
      </Labelled>
    </FormDialog>
  );
}
