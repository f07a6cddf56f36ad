import { useEffect, useRef, useState } from "react";
import { get, post } from "../api/client";
import type { Sketch } from "../api/types";
import { useLoad } from "../app/load";
import { usePreferences } from "../app/preferences";
import { useWorld } from "../app/world";
import { useText } from "../i18n";
import { Button } from "../ui/button";
import { Field, Select } from "../ui/field";
import { Icon } from "../ui/icons";
import { Menu, type MenuItem } from "../ui/menu";
import { Stack } from "../ui/page";
import { Toolbar } from "../ui/row";
import { DocumentSketch } from "./document_sketch";
import { placeholderOf, type Kind } from "./written";
import styles from "./reports.module.css";

export type TemplateFormat = "md" | "html";
const KINDS: Kind[] = ["value", "table", "chart", "text"];
const PAUSE_MS = 350;
const MOST_LISTED = 30;

type Props = { connection: string; text: string; format?: TemplateFormat; onText: (text: string) => void };

/** A template beside the document it makes, with what can be put into it: metrics, saved questions, parameters. */
export function Builder({ connection, text, format = "md", onText }: Props) {
  const t = useText();
  const box = useRef<HTMLTextAreaElement>(null);
  const [kind, setKind] = useState<Kind>("value");
  const [sketch, setSketch] = useState<Sketch>();
  useEffect(() => {
    const away = new AbortController();
    const timer = setTimeout(() => {
      post("/report-sketches", { body: { text, format }, signal: away.signal }).then(setSketch, () => undefined);
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      away.abort();
    };
  }, [text, format]);
  /** Puts words where the cursor is, and the cursor behind them. */
  const insert = (words: string) => {
    const area = box.current;
    const [start, end] = area ? [area.selectionStart, area.selectionEnd] : [text.length, text.length];
    onText(text.slice(0, start) + words + text.slice(end));
    setTimeout(() => {
      area?.focus();
      area?.setSelectionRange(start + words.length, start + words.length);
    });
  };
  return (
    <div className={styles.builder}>
      <Stack>
        <Toolbar role="toolbar" aria-label={t.reports.insert}>
          <Select
            label={t.reports.insertAs}
            value={kind}
            choices={KINDS.map((each) => ({ value: each, label: t.reports.kinds[each] }))}
            onChange={setKind}
          />
          <Offers connection={connection} onChoose={(question) => insert(placeholderOf(kind, question))} />
          <Button kind="plain" icon="plus" onClick={() => insert(placeholderOf(kind, t.reports.insertQuestion))}>
            {t.reports.insertQuestion}
          </Button>
          <Button kind="plain" icon="plus" onClick={() => insert(t.reports.parameterExample)}>
            {t.reports.insertParameter}
          </Button>
        </Toolbar>
        <Field label={t.reports.template} help={t.reports.templateHelp}>
          {(id) => (
            <textarea
              id={id}
              ref={box}
              className={styles.source}
              rows={20}
              spellCheck={false}
              value={text}
              placeholder={t.reports.templateExample}
              onChange={(event) => onText(event.target.value)}
            />
          )}
        </Field>
      </Stack>
      <DocumentSketch sketch={sketch} />
    </div>
  );
}

/** What is known of a database that a report may ask: its metrics, and the questions that were kept. */
function Offers({ connection, onChoose }: { connection: string; onChoose: (question: string) => void }) {
  const t = useText();
  const { language } = usePreferences();
  const { saved } = useWorld();
  const found = useLoad(connection ? `metrics ${connection}` : null, () =>
    get("/metrics/definitions", { query: { connection_id: connection } }),
  );
  const metrics = (found.data?.metrics ?? []).filter((metric) => !metric.problem).slice(0, MOST_LISTED);
  // What was only proposed and has no name in the reader's language is no word to ask with.
  const named = metrics.map(
    ({ label, name, status }) => label[language] || (status === "accepted" ? label.en || label.zh || name : ""),
  );
  const kept = saved.filter((each) => each.connection_id === connection).slice(0, MOST_LISTED);
  const items = (names: string[]): MenuItem[] =>
    [...new Set(names)].map((name) => ({ label: name, onSelect: () => onChoose(name) }));
  return (
    <>
      {named.some(Boolean) && (
        <Menu
          plain
          label={t.reports.insertMetric}

          items={items(named.filter(Boolean))}
        >
          <Icon name="plus" size={16} />
          <span>{t.reports.insertMetric}</span>
        </Menu>
      )}
      {kept.length > 0 && (
        <Menu plain label={t.reports.insertSaved} items={items(kept.map((each) => each.question))}>
          <Icon name="plus" size={16} />
          <span>{t.reports.insertSaved}</span>
        </Menu>
      )}
    </>
  );
}
