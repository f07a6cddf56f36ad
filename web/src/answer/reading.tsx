import type { Reading } from "../api/types";
import { usePreferences } from "../app/preferences";
import { go } from "../app/route";
import { useWorld } from "../app/world";
import { useText } from "../i18n";
import { formatDate } from "../i18n/format";
import { classes } from "../ui/dressed";
import { Icon } from "../ui/icons";
import { Menu, type MenuItem } from "../ui/menu";
import { Text } from "../ui/text";
import { partsOf, type ReadPart } from "./truth";
import styles from "./reading.module.css";

type Asking = { question: string; connection: string; onAsk?: (question: string) => void };

/** The reading part by part; a part that can mean something else opens what it can be changed to. */
export function ReadingParts({ parts, question, connection, onAsk }: { parts: ReadPart[] } & Asking) {
  const t = useText();
  return (
    <div className={styles.parts} role="group" aria-label={t.answer.reading}>
      <Text as="span" muted>
        {t.app.colon(t.answer.reading)}
      </Text>
      <ul>
        {parts.map((part, place) => (
          <li key={place}>
            {part.kind === "database" && onAsk ? (
              <OtherDatabases part={part} question={question} connection={connection} />
            ) : (
              <Part
                part={part}
                items={
                  onAsk
                    ? part.changes.map((change) => ({ label: change.label, onSelect: () => onAsk(change.question) }))
                    : []
                }
              />
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The same question to another database begins a conversation of its own. */
function OtherDatabases({ part, question, connection }: { part: ReadPart; question: string; connection: string }) {
  const { connections, chooseConnection } = useWorld();
  const items = connections
    .filter((other) => other.id !== connection && other.name !== part.text)
    .map((other) => ({
      label: other.name,
      onSelect: () => {
        chooseConnection(other.id);
        go("/", { ask: question });
      },
    }));
  return <Part part={part} items={items} />;
}

function Part({ part, items }: { part: ReadPart; items: MenuItem[] }) {
  const t = useText();
  const kind = t.truth.parts[part.kind];
  const told = (
    <>
      <span className={styles.kind}>{kind}</span> {part.text}
    </>
  );
  if (!items.length) return <span className={styles.part}>{told}</span>;
  return (
    <Menu label={t.truth.change(kind, part.text)} className={classes(styles.part, styles.open)} items={items}>
      <span>{told}</span>
      <Icon name="down" size={13} />
    </Menu>
  );
}

/** The question as it was understood, in the reader's words: measure, filters, period, assumptions. */
export function HowRead({ reading }: { reading: Reading }) {
  const t = useText();
  const { language } = usePreferences();
  const parts: [string, string][] = [
    ...Object.entries(reading.metric ?? {}).map(([word, name]): [string, string] => [
      t.answer.metric,
      word === name ? word : `${word} → ${name}`,
    ]),
    ...conditionsOf(reading).map(({ kind, text }): [string, string] => [
      kind === "without" ? t.truth.parts.without : t.answer.filter,
      text,
    ]),
    ...(reading.period ?? []).map((period): [string, string] => {
      const range = [period.start, lastDay(period.start, period.end)]
        .filter(Boolean)
        .map((day) => formatDate(day, language))
        .join(` ${t.answer.until} `);
      return [t.answer.period, range ? `${period.text} (${range})` : period.text];
    }),
    ...(reading.assumptions ?? []).map((text): [string, string] => [t.answer.assumption, text]),
  ];
  if (!parts.length) return null;
  return (
    <section className={styles.reading} aria-label={t.answer.reading}>
      <h3>{t.answer.reading}</h3>
      <ul>
        {parts.map(([kind, text], place) => (
          <li key={place}>
            <span>{kind}</span>
            <b>{text}</b>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What the rows had to fulfil and whose rows are left out, in words; of an older answer by its columns. */
function conditionsOf(reading: Reading): Pick<ReadPart, "kind" | "text">[] {
  const told = partsOf(reading).filter(({ kind }) => kind === "filter" || kind === "without");
  if (told.length) return told;
  return (reading.filters ?? []).map(({ table, column, value, denied }) => ({
    kind: denied ? "without" : "filter",
    text: `${table}.${column} ${denied ? "≠" : "="} ${value}`,
  }));
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** A period ends before its end: of 2026, which ends on January 1, 2027, people say December 31. */
function lastDay(start: string, end: string): string {
  if (!DAY.test(end) || end <= start) return end;
  return new Date(Date.parse(end) - 86_400_000).toISOString().slice(0, 10);
}
