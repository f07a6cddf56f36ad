import { memo, useRef, useState } from "react";
import { AnswerCard } from "../answer/answer_card";
import { alternativesOf } from "../answer/truth";
import type { Reply } from "../api/types";
import { useText } from "../i18n";
import { Button, Chip, IconButton } from "../ui/button";
import { Card } from "../ui/card";
import { copyText } from "../ui/copy";
import { classes } from "../ui/dressed";
import { closeInto } from "../ui/focus";
import { Icon } from "../ui/icons";
import { Chips } from "../ui/lists";
import { notify } from "../ui/notice";
import { Row } from "../ui/row";
import { Text, VisuallyHidden } from "../ui/text";
import { Details } from "./details";
import { EditQuestion, Versions } from "./edit_question";
import { QuestionBack } from "./question_back";
import { ThumbButtons, useThumbs, WhatWasWrong } from "./thumbs";
import { Timeline } from "./timeline";
import { correctedTurn, type Correction, type Turn } from "./turn";
import styles from "./turn_view.module.css";

type Again = { refresh?: boolean; replaces?: Turn };

type Props = {
  turn: Turn;
  threadId: string;
  connection: string;
  last: boolean;
  idle: boolean;
  readOnly?: boolean;
  mayRun: boolean;
  saved: boolean;
  onAsk: (question: string, options?: Again) => void;
  onVersion: (runId: string) => void;
  onReply: (turn: Turn, reply: Reply | undefined, words: string) => void;
  onSave: (question: string, connection: string) => void;
  onCorrected?: (turn: Turn, correction: Correction | null) => void;
};

/**
 * A question with what became of it. Of 200 turns only those are drawn again that changed: an answer that streams in would
 * else draw all of them at every event.
 */
export const TurnView = memo(function TurnView({
  turn,
  threadId,
  connection,
  last,
  idle,
  readOnly = false,
  mayRun,
  saved,
  onAsk,
  onVersion,
  onReply,
  onSave,
  onCorrected,
}: Props) {
  const t = useText();
  const [details, setDetails] = useState(false);
  const [editing, setEditing] = useState(false);
  const pencil = useRef<HTMLButtonElement>(null);
  /** How often the statement was asked to be put right. */
  const [fixing, setFixing] = useState(0);
  const whole = useRef<HTMLElement>(null);
  /** Which reading of the question is shown; 0 is the answer's own. */
  const [reading, setReading] = useState(0);
  const corrected = useRef<Correction | null>(null);
  const thumbs = useThumbs(threadId, turn.runId, turn.verdict);
  const shows = turn.result !== null || turn.streamed !== "";
  const failed = turn.phase === "failed" || turn.phase === "stopped";
  const copy = () => {
    const now = corrected.current ? correctedTurn(turn, corrected.current) : turn;
    void copyText([now.question, now.streamed, now.answer?.sql].filter(Boolean).join("\n\n"));
    notify(t.app.copied);
  };
  // The panel with the editor is shorter than the answer was: without the focus it would stand above what is seen.
  const fix = () =>
    closeInto(
      () => setFixing(fixing + 1),
      () => whole.current?.querySelector("[role=tabpanel] textarea"),
    );
  const actions = (
    <>
      {!readOnly && turn.phase === "done" && turn.answer?.sql && <ThumbButtons thumbs={thumbs} />}
      <IconButton icon="copy" label={t.app.copy} onClick={copy} />
      {!readOnly && turn.phase === "done" && (
        <IconButton
          icon="star"
          on={saved}
          label={saved ? t.chat.pinned : t.chat.pin}
          aria-pressed={saved}
          onClick={() => onSave(turn.question, connection)}
        />
      )}
      <IconButton icon="panel" label={t.chat.details} onClick={() => setDetails(true)} />
    </>
  );
  return (
    <article ref={whole} className={styles.turn} aria-label={turn.question}>
      {editing ? (
        <EditQuestion
          question={turn.question}
          last={last}
          onClose={() =>
            closeInto(
              () => setEditing(false),
              () => pencil.current,
            )
          }
          onSend={(question) => {
            setEditing(false);
            onAsk(question, { replaces: turn });
          }}
        />
      ) : (
        <div className={styles.asked}>
          <h2>
            <VisuallyHidden>{t.app.colon(t.chat.you)}</VisuallyHidden>
            {turn.question}
          </h2>
          {!readOnly && idle && (
            <IconButton
              ref={pencil}
              icon="edit"
              size={15}
              label={t.chat.editQuestion}
              onClick={() => setEditing(true)}
            />
          )}
          {!readOnly && <Versions turn={turn} idle={idle} onVersion={onVersion} />}
        </div>
      )}
      <Timeline turn={turn} />
      <QuestionBack turn={turn} onReply={(reply, words) => onReply(turn, reply, words)} />
      {turn.phase !== "waiting" && !failed && shows && (
        <AnswerCard
          turn={turn}
          connection={connection}
          threadId={threadId}
          mayRun={mayRun && !readOnly}
          onRefresh={!readOnly && idle ? () => onAsk(turn.question, { refresh: true }) : undefined}
          onAsk={!readOnly && idle ? (question) => onAsk(question) : undefined}
          actions={turn.phase === "done" ? actions : null}
          fixing={fixing}
          reading={reading}
          onReading={setReading}
          onCorrected={(correction) => {
            corrected.current = correction;
            onCorrected?.(turn, correction);
          }}
        />
      )}
      {thumbs.asking && (
        <WhatWasWrong
          thumbs={thumbs}
          readings={alternativesOf(turn.answer).map((each) => each.label)}
          onReading={setReading}
          onAgain={idle && !readOnly ? (words) => onAsk(words) : undefined}
          onFix={mayRun && !readOnly ? fix : undefined}
        />
      )}
      {failed && (
        <Failed
          turn={turn}
          last={last}
          idle={idle && !readOnly}
          onRetry={() => onAsk(turn.question, { refresh: turn.refresh, replaces: last ? turn : undefined })}
          onEdit={() => setEditing(true)}
          onGoOn={() => onReply(turn, undefined, "")}
          onDetails={() => setDetails(true)}
        />
      )}
      {last && !readOnly && turn.phase === "done" && turn.followups.length > 0 && (
        <div className={styles.followups} role="group" aria-label={t.chat.followups}>
          <Text as="span" muted>
            {t.chat.followups}
          </Text>
          <Chips>
            {turn.followups.map((question) => (
              <Chip key={question} type="button" disabled={!idle} onClick={() => onAsk(question)}>
                {question}
              </Chip>
            ))}
          </Chips>
        </div>
      )}
      {details && <Details turn={turn} onClose={() => setDetails(false)} />}
    </article>
  );
});

type FailedProps = {
  turn: Turn;
  last: boolean;
  idle: boolean;
  onRetry: () => void;
  onEdit: () => void;
  onGoOn: () => void;
  onDetails: () => void;
};

/** What went wrong, in a sentence, and what can be done now. */
function Failed({ turn, last, idle, onRetry, onEdit, onGoOn, onDetails }: FailedProps) {
  const t = useText();
  const code = turn.failure?.code ?? "";
  const message =
    code === "interrupted"
      ? t.chat.interrupted
      : code === "cancelled"
        ? t.chat.stopped
        : code === "unreachable"
          ? t.errors.unreachable
          : turn.failure?.message || t.errors.unknown;
  const absent = code === "not_found" && turn.steps.length > 0; // of the data, not of the conversation
  const next = code === "unreachable" ? t.errors.unreachableNext : t.errors.next[absent ? "unknown_table" : code];
  return (
    <Card
      className={classes(styles.failed, turn.phase === "stopped" && styles.stopped)}
      role={last ? "alert" : undefined}
    >
      <Icon name={turn.phase === "stopped" ? "stop" : "alert"} />
      <div>
        <p>{message}</p>
        {next && <Text muted>{next}</Text>}
        {idle && (
          <Row className={styles.next}>
            {code === "interrupted" && last ? (
              <Button kind="primary" icon="retry" onClick={onGoOn}>
                {t.chat.goOn}
              </Button>
            ) : (
              // What would change data is refused however often it is asked.
              code !== "read_only" && (
                <Button icon="retry" onClick={onRetry}>
                  {t.app.retry}
                </Button>
              )
            )}
            <Button kind="quiet" icon="edit" onClick={onEdit}>
              {t.chat.editQuestion}
            </Button>
            <Button kind="quiet" icon="panel" onClick={onDetails}>
              {t.chat.details}
            </Button>
          </Row>
        )}
      </div>
    </Card>
  );
}
