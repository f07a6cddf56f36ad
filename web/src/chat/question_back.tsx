import { useState } from "react";
import type { Reply } from "../api/types";
import { useText } from "../i18n";
import { Button, Chip } from "../ui/button";
import { SqlEditor } from "../answer/sql_editor";
import { Chips } from "../ui/lists";
import { Row } from "../ui/row";
import { Text } from "../ui/text";
import type { Asked, Turn } from "./turn";
import styles from "./question_back.module.css";

type OnReply = (reply: Reply, words: string) => void;
type Props = { turn: Turn; onReply: OnReply };
type Of<Kind extends Asked["kind"]> = { asked: Extract<Asked, { kind: Kind }>; onReply: OnReply };

/** A question back: readings as chips, or a statement that waits for approval; once it is replied to, the reply. */
export function QuestionBack({ turn, onReply }: Props) {
  const t = useText();
  const { asked } = turn;
  if (turn.phase !== "waiting")
    return turn.replied ? (
      <Text muted className={styles.replied}>
        {t.chat.chose(turn.replied)}
      </Text>
    ) : null;
  if (!asked) return null;
  return asked.kind === "clarification" ? (
    <Clarification asked={asked} onReply={onReply} />
  ) : (
    <Approval asked={asked} onReply={onReply} />
  );
}

function Clarification({ asked, onReply }: Of<"clarification">) {
  const t = useText();
  const [words, setWords] = useState("");
  return (
    <div className={styles.questionBack}>
      <p className={styles.lead}>{asked.question}</p>
      <Chips role="group" aria-label={asked.question}>
        {asked.options.map((option) => (
          <Chip key={option.id} type="button" onClick={() => onReply(option.id, option.label)}>
            {option.label}
          </Chip>
        ))}
      </Chips>
      <Row
        as="form"

        onSubmit={(event) => {
          event.preventDefault();
          if (words.trim()) onReply(words.trim(), words.trim());
        }}
      >
        <input
          aria-label={t.chat.orType}
          placeholder={t.chat.orType}
          value={words}
          onChange={(event) => setWords(event.target.value)}
        />
        <Button type="submit" disabled={!words.trim()}>
          {t.chat.reply}
        </Button>
      </Row>
    </div>
  );
}

function Approval({ asked, onReply }: Of<"approval">) {
  const t = useText();
  const [sql, setSql] = useState(asked.sql);
  const [editing, setEditing] = useState(false);
  const changed = sql.trim() !== asked.sql.trim();
  const estimate = Object.entries(asked.estimate ?? {}).filter(([, value]) => value !== null);
  return (
    <div className={styles.questionBack}>
      <p className={styles.lead}>{t.chat.approvalTitle}</p>
      <SqlEditor value={sql} onChange={setSql} readOnly={!editing} label={t.answer.sql} />
      {estimate.length > 0 && (
        <Text muted>
          {t.chat.estimate}: {estimate.map(([name, value]) => `${name} ${String(value)}`).join(", ")}
        </Text>
      )}
      <Row>
        <Button
          kind="primary"
          icon="check"
          onClick={() => onReply(changed ? { decision: "edit", sql } : { decision: "approve" }, t.chat.approve)}
        >
          {t.chat.approve}
        </Button>
        {!editing && (
          <Button icon="edit" onClick={() => setEditing(true)}>
            {t.chat.editFirst}
          </Button>
        )}
        <Button kind="quiet" onClick={() => onReply({ decision: "reject" }, t.chat.reject)}>
          {t.chat.reject}
        </Button>
      </Row>
    </div>
  );
}
