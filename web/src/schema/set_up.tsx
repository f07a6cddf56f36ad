import { useState } from "react";
import { get, post } from "../api/client";
import type { SetupQuestion } from "../api/types";
import { useLoad } from "../app/load";
import { usePreferences } from "../app/preferences";
import { useText } from "../i18n";
import { Button, Chip, LinkButton } from "../ui/button";
import { Card } from "../ui/card";
import { TextField } from "../ui/field";
import { Form } from "../ui/form";
import { Chips, Lines } from "../ui/lists";
import { useAttempt } from "../ui/notice";
import { Count } from "../ui/page";
import { Row } from "../ui/row";
import { Text } from "../ui/text";
import styles from "./first_look.module.css";

/** The five-minute set-up: one question at a time, which only a person can answer; the glossary has each reply at once. */
export function SetUp({ connection }: { connection: string }) {
  const t = useText();
  const attempt = useAttempt();
  const { language } = usePreferences();
  const [again, setAgain] = useState<string | null>(null);
  const found = useLoad(`setup ${connection}`, () =>
    get("/connections/{connection_id}/setup", { path: { connection_id: connection } }),
  );
  const questions = found.data ?? [];
  if (!questions.length) return null;
  const open = questions.find((each) => each.id === again) ?? questions.find((each) => each.state === "open");
  const seen = questions.filter((each) => each.state !== "open");
  const reply = (question: SetupQuestion, words: string) =>
    attempt(async () => {
      const body = { id: question.id, reply: words };
      found.set(await post("/connections/{connection_id}/setup", { path: { connection_id: connection }, body }));
      setAgain(null);
    });
  return (
    <section aria-label={t.firstLook.setUp}>
      <h2>
        {t.firstLook.setUp} <Count>{`${seen.length} / ${questions.length}`}</Count>
      </h2>
      {open ? (
        <Card className={styles.asked}>
          <p>
            <b>{open[language]}</b>
          </p>
          {open.codes.length > 0 ? (
            <Codes key={open.id} question={open} onReply={(words) => void reply(open, words)} />
          ) : (
            <Chips>
              {open.options.map((option) => (
                <Chip
                  key={option.key}
                  type="button"

                  aria-pressed={open.reply === option.key}
                  onClick={() => void reply(open, option.key)}
                >
                  {option[language]}
                </Chip>
              ))}
            </Chips>
          )}
          <Row>
            <Button kind="quiet" onClick={() => void reply(open, "")}>
              {t.firstLook.skip}
            </Button>
          </Row>
        </Card>
      ) : (
        <Text muted>{t.firstLook.done}</Text>
      )}
      {seen.length > 0 && (
        <details>
          <summary>{t.firstLook.replied(seen.length)}</summary>
          <Lines>
            {seen.map((each) => (
              <li key={each.id}>
                {each[language]}{" "}
                <b>
                  {each.options.find((option) => option.key === each.reply)?.[language] ||
                    each.reply ||
                    t.firstLook.skipped}
                </b>
                <LinkButton type="button" onClick={() => setAgain(each.id)}>
                  {t.app.edit}
                </LinkButton>
              </li>
            ))}
          </Lines>
        </details>
      )}
    </section>
  );
}

/** What `1=paid, 2=open` says, by value. */
export function meaningsOf(reply: string): Record<string, string> {
  const pairs = reply.split(/[,，]/).map((part) => part.split(/=(.*)/s));
  return Object.fromEntries(pairs.flatMap(([value, meaning]) => (meaning ? [[value!.trim(), meaning.trim()]] : [])));
}

function Codes({ question, onReply }: { question: SetupQuestion; onReply: (words: string) => void }) {
  const t = useText();
  const [meanings, setMeanings] = useState(() => meaningsOf(question.reply));
  const words = question.codes
    .filter((code) => meanings[code]?.trim())
    // A comma in a meaning would begin the next one.
    .map((code) => `${code}=${meanings[code]!.trim().replace(/[,，=]/g, " ")}`)
    .join(", ");
  return (
    <Form
      onSubmit={(event) => {
        event.preventDefault();
        if (words) onReply(words);
      }}
    >
      <div className={styles.codes}>
        {question.codes.map((code) => (
          <TextField
            key={code}
            label={code}
            maxLength={100}
            value={meanings[code] ?? ""}
            onText={(meaning) => setMeanings({ ...meanings, [code]: meaning })}
          />
        ))}
      </div>
      <Row>
        <Button type="submit" kind="primary" disabled={!words}>
          {t.app.save}
        </Button>
      </Row>
    </Form>
  );
}
