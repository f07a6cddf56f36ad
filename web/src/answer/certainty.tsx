import type { Answer, Column, Cell } from "../api/types";
import { usePreferences } from "../app/preferences";
import { useText } from "../i18n";
import { tellCell } from "../i18n/format";
import { Badge, type BadgeKind } from "../ui/badge";
import { Button, LinkButton } from "../ui/button";
import { Icon, type IconName } from "../ui/icons";
import { Text } from "../ui/text";
import { ReadingParts } from "./reading";
import { SmallTable } from "./small_table";
import { alternativesOf, gradeOf, ignoredOf, partsOf, readingText, type Grade } from "./truth";
import styles from "./certainty.module.css";

const LOOKS: Record<Grade, { icon: IconName; kind: BadgeKind }> = {
  verified: { icon: "shield", kind: "good" },
  likely: { icon: "check", kind: "" },
  check: { icon: "alert", kind: "warn" },
};

/** How sure an answer is, in a word; who vouches for it is told on the mark: people for this question, or definitions. */
export function GradeBadge({ answer, verified }: { answer: Answer | null; verified: boolean }) {
  const t = useText();
  const grade = gradeOf(answer) ?? (verified ? "verified" : null);
  if (!grade) return null;
  const { icon, kind } = LOOKS[grade];
  const help = grade === "verified" && answer?.reading?.plan?.accepted ? t.truth.help.defined : t.truth.help[grade];
  return (
    <Badge kind={kind} title={help}>
      <Icon name={icon} size={14} /> {t.truth.grades[grade]}
    </Badge>
  );
}

/** How the question was read, part by part where the server says so, and what of it was not used. */
export function ReadAs({ answer, onAsk }: { answer: Answer | null; onAsk?: (question: string) => void }) {
  const t = useText();
  if (!answer) return null;
  const text = readingText(answer.reading);
  const ignored = ignoredOf(answer.reading);
  const parts = partsOf(answer.reading);
  if (!text && !ignored.length) return null;
  const without = parts.filter((part) => part.kind === "ignored").flatMap((part) => part.changes);
  return (
    <div className={styles.read}>
      {parts.length ? (
        <ReadingParts
          parts={parts.filter((part) => part.kind !== "ignored")}
          question={answer.reading.question ?? answer.question}
          connection={answer.connection_id ?? ""}
          onAsk={onAsk}
        />
      ) : (
        text && (
          <p>
            <Text as="span" muted>
              {t.app.colon(t.answer.reading)}
            </Text>
            {text}
          </p>
        )
      )}
      {ignored.length > 0 && (
        <p className={styles.ignored}>
          <Icon name="alert" size={14} /> {t.truth.ignored(ignored.map((part) => `“${part}”`).join(", "))}
          {onAsk &&
            without.map((change) => (
              <LinkButton key={change.question} type="button" onClick={() => onAsk(change.question)}>
                {change.label}
              </LinkButton>
            ))}
        </p>
      )}
    </div>
  );
}

type OneReading = { label: string; text: string; columns: Column[]; rows: Cell[][] };

/** Two or more readings side by side; one click makes another the answer. */
export function Readings({
  answer,
  first,
  chosen,
  onChoose,
}: {
  answer: Answer | null;
  first: OneReading;
  chosen: number;
  onChoose: (place: number) => void;
}) {
  const t = useText();
  const others = alternativesOf(answer);
  if (!others.length) return null;
  return (
    <section className={styles.readings} aria-label={t.truth.readings}>
      <h3>{t.truth.readings}</h3>
      <ul>
        {[first, ...others].map((reading, place) => (
          <li key={place} aria-current={place === chosen ? "true" : undefined}>
            <b>{reading.label || (place === 0 ? t.truth.first : t.truth.other)}</b>
            <Glimpse reading={reading} />
            {place === chosen ? (
              <Badge kind="good">{t.truth.shown}</Badge>
            ) : (
              <Button onClick={() => onChoose(place)}>{t.truth.choose}</Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What a reading gives: its one number, or its first rows. */
function Glimpse({ reading }: { reading: OneReading }) {
  const { language } = usePreferences();
  const { columns, rows, text } = reading;
  const cell = rows[0]?.[0];
  if (columns.length === 1 && rows.length === 1 && cell !== null && cell !== undefined)
    return <p className={styles.number}>{tellCell(cell, columns[0]!, language)}</p>;
  if (!rows.length) return <Text muted>{text}</Text>;
  return <SmallTable columns={columns.slice(0, 3)} rows={rows.slice(0, 3)} total={Math.min(3, rows.length)} />;
}
