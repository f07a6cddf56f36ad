import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { post } from "../api/client";
import { useText } from "../i18n";
import { Button, Chip, IconButton } from "../ui/button";
import { Card } from "../ui/card";
import { Check } from "../ui/form";
import { Chips } from "../ui/lists";
import { notify, useAttempt, withdraw } from "../ui/notice";
import { Row } from "../ui/row";
import { Text } from "../ui/text";
import styles from "./thumbs.module.css";

export type Verdict = "up" | "down" | "none";
const REASONS = ["measure", "filter", "period", "table", "other"] as const;
type Reason = (typeof REASONS)[number];

/** The thumbs of one answer; a second click takes a thumb back. */
export function useThumbs(threadId: string, runId: string, before: Verdict) {
  const t = useText();
  const attempt = useAttempt();
  const [pressed, setPressed] = useState<Verdict | null>(null);
  const verdict = pressed ?? before;
  const [asking, setAsking] = useState(false);
  const send = (next: Verdict, reason?: Reason, note = "") =>
    attempt(async () => {
      await post("/feedback", { body: { thread_id: threadId, run_id: runId, verdict: next, reason, note } });
      setPressed(next);
    });
  const kind = `thumb ${runId}`;
  const press = async (thumb: "up" | "down") => {
    const next = verdict === thumb ? "none" : thumb;
    withdraw(kind); // another thumb takes the proposal back
    setAsking(next === "down");
    if (!(await send(next))) return;
    if (next === "up") notify(t.chat.upThanks, kind);
  };
  const explain = async (reason: Reason | undefined, note: string) => {
    setAsking(false);
    if (await send("down", reason, note)) notify(t.chat.downThanks, kind);
  };
  return { verdict, asking, press, explain, close: () => setAsking(false) };
}

type Thumbs = ReturnType<typeof useThumbs>;

export function ThumbButtons({ thumbs }: { thumbs: Thumbs }) {
  const t = useText();
  return (
    <>
      <IconButton
        icon="up"
        label={t.chat.up}
        aria-pressed={thumbs.verdict === "up"}
        onClick={() => void thumbs.press("up")}
      />
      <IconButton
        icon="thumbDown"
        label={t.chat.down}
        aria-pressed={thumbs.verdict === "down"}
        onClick={() => void thumbs.press("down")}
      />
    </>
  );
}

type WrongProps = {
  thumbs: Thumbs;
  /** Other readings of the question, which are there already. */
  readings: string[];
  onReading: (place: number) => void;
  /** Goes on with the conversation in the reader's own words. */
  onAgain?: (words: string) => void;
  onFix?: () => void;
};

/** What was wrong: another reading may be the right one, the note may say it, and whoever may write SQL puts it right. */
export function WhatWasWrong({ thumbs, readings, onReading, onAgain, onFix }: WrongProps) {
  const t = useText();
  const [reason, setReason] = useState<Reason>();
  const [note, setNote] = useState("");
  const form = useRef<HTMLFormElement>(null);
  // Below a long answer it would open behind the question box, where nobody sees that something is asked.
  // In braces: newer browsers give a promise back, which React would call when the form goes.
  useEffect(() => {
    form.current?.scrollIntoView({ block: "center" });
  }, []);
  // The thumb that asked for it stands above it and stays.
  useLayoutEffect(() => {
    const [box, thumb] = [form.current!, document.activeElement as HTMLElement | null];
    return () => {
      if (box.contains(document.activeElement)) thumb?.focus();
    };
  }, []);
  return (
    <Card
      as="form"
      ref={form}
      className={styles.whatWasWrong}
      aria-label={t.chat.wrong.title}
      onKeyDown={(event) => event.key === "Escape" && thumbs.close()}
      onSubmit={(event) => {
        event.preventDefault();
        void thumbs.explain(reason, note.trim());
      }}
    >
      <fieldset>
        <legend>{t.chat.wrong.title}</legend>
        <Row>
          {REASONS.map((each) => (
            <Check key={each}>
              <input type="radio" name="reason" checked={reason === each} onChange={() => setReason(each)} />
              <span>{t.chat.wrong.reasons[each]}</span>
            </Check>
          ))}
        </Row>
      </fieldset>
      {readings.length > 0 && (
        <Chips role="group" aria-label={t.chat.wrong.readings}>
          <Text as="span" muted>
            {t.chat.wrong.readings}
          </Text>
          {readings.map((label, place) => (
            <Chip
              key={place}
              type="button"
              onClick={() => {
                void thumbs.explain(reason, label);
                onReading(place + 1);
              }}
            >
              {label}
            </Chip>
          ))}
        </Chips>
      )}
      <input
        aria-label={t.chat.wrong.note}
        placeholder={t.chat.wrong.note}
        maxLength={1000}
        value={note}
        onChange={(event) => setNote(event.target.value)}
      />
      <Row>
        <Button kind="primary" type="submit" disabled={!reason && !note.trim()}>
          {t.chat.wrong.send}
        </Button>
        {onAgain && note.trim() && (
          <Button
            icon="retry"
            onClick={() => {
              void thumbs.explain(reason, note.trim());
              onAgain(note.trim());
            }}
          >
            {t.chat.wrong.again}
          </Button>
        )}
        {onFix && (
          <Button
            icon="edit"
            onClick={() => {
              void thumbs.explain(reason, note.trim());
              onFix();
            }}
          >
            {t.chat.wrong.fix}
          </Button>
        )}
        <Button kind="quiet" onClick={thumbs.close}>
          {t.app.close}
        </Button>
      </Row>
    </Card>
  );
}
