import { useEffect, useRef, useState, type KeyboardEvent } from "react";
import { useText } from "../i18n";
import { Button, IconButton } from "../ui/button";
import { Row } from "../ui/row";
import { Text } from "../ui/text";
import type { Turn } from "./turn";
import styles from "./edit_question.module.css";

type EditProps = { question: string; last: boolean; onSend: (question: string) => void; onClose: () => void };

/** A question in its own place, to be said in another way. */
export function EditQuestion({ question, last, onSend, onClose }: EditProps) {
  const t = useText();
  const [text, setText] = useState(question);
  const area = useRef<HTMLTextAreaElement>(null);
  const ready = text.trim() !== "";

  useEffect(() => {
    area.current?.focus();
    area.current?.setSelectionRange(question.length, question.length);
  }, [question]);

  useEffect(() => {
    if (!area.current) return;
    area.current.style.height = "auto";
    area.current.style.height = `${area.current.scrollHeight}px`;
  }, [text]);

  const typed = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return; // Enter chooses a Chinese candidate here
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      if (ready) onSend(text.trim());
    }
    if (event.key === "Escape") onClose();
  };

  return (
    <form
      className={styles.editQuestion}
      onSubmit={(event) => {
        event.preventDefault();
        if (ready) onSend(text.trim());
      }}
    >
      <textarea
        ref={area}
        rows={1}
        aria-label={t.chat.edited}
        value={text}
        maxLength={4000}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={typed}
      />
      <Row className={styles.below}>
        {!last && (
          <Text as="span" muted className={styles.help}>
            {t.chat.editHelp}
          </Text>
        )}
        <Button kind="quiet" onClick={onClose}>
          {t.app.cancel}
        </Button>
        <Button kind="primary" type="submit" disabled={!ready}>
          {t.chat.ask}
        </Button>
      </Row>
    </form>
  );
}

type VersionProps = { turn: Turn; idle: boolean; onVersion: (runId: string) => void };

/** Goes between the versions of a turn. */
export function Versions({ turn, idle, onVersion }: VersionProps) {
  const t = useText();
  const count = turn.versions.length;
  const place = turn.versions.indexOf(turn.begun);
  if (count < 2) return null;
  const to = (other: number) => turn.versions[other] ?? "";
  return (
    <div className={styles.versions} role="group" aria-label={t.chat.versions(place + 1, count)}>
      <IconButton
        className={styles.back}
        icon="chevron"
        size={14}
        label={t.chat.older}
        disabled={!idle || place < 1}
        onClick={() => onVersion(to(place - 1))}
      />
      <span aria-hidden="true">
        {place + 1}/{count}
      </span>
      <IconButton
        icon="chevron"
        size={14}
        label={t.chat.newer}
        disabled={!idle || place > count - 2}
        onClick={() => onVersion(to(place + 1))}
      />
    </div>
  );
}
