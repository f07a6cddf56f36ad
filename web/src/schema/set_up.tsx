import { useState } from "react";
import { get, post } from "../api/client";
import type { SetupQuestion } from "../api/types";
import { useLoad } from "../app/load";
import { usePreferences } from "../app/preferences";
import { useText } from "../i18n";
import { Button } from "../ui/button";
import { TextField } from "../ui/field";
import { useAttempt } from "../ui/notice";
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
        {t.firstLook.setUp} <span className="count">{`${seen.length} / ${questions.length}`}</span>
      </h2>
      {open ? (
        <div className={`card ${styles.asked}`}>
          <p>
            <b>{open[language]}</b>
          </p>
          {open.codes.length > 0 ? (
            <Codes key={open.id} question={open} onReply={(words) => void reply(open, words)} />
          ) : (
            <div className="chips">
              {open.options.map((option) => (
                <button
                  key={option.key}
                  type="button"
                  className="chip"
                  aria-pressed={open.reply === option.key}
                  onClick={() => void reply(open, option.key)}
                >
                  {option[language]}
                </button>
              ))}
            </div>
          )}
          <div className="row">
            <Button kind="quiet" onClick={() => void reply(open, "")}>
              {t.firstLook.skip}
            </Button>
          </div>
        </div>
      ) : (
        <p className="muted">{t.firstLook.done}</p>
      )}
      {seen.length > 0 && (
        <details>
          <summary>{t.firstLook.replied(seen.length)}</summary>
          <ul className="lines">
            {seen.map((each) => (
              <li key={each.id}>
                {each[language]}{" "}
                <b>
                  {each.options.find((option) => option.key === each.reply)?.[language] ||
                    each.reply ||
                    t.firstLook.skipped}
                </b>
                <button type="button" className="link" onClick={() => setAgain(each.id)}>
                  {t.app.edit}
                </button>
              </li>
            ))}
          </ul>
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
    <form
      className="form"
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
      <div className="row">
        <Button type="submit" kind="primary" disabled={!words}>
          {t.app.save}
        </Button>
      </div>
    </form>
  );
}
