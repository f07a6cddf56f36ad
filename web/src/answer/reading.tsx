import type { Reading } from "../api/types";
import { usePreferences } from "../app/preferences";
import { useText } from "../i18n";
import { formatDate } from "../i18n/format";

/** The question as it was understood, in the reader's words: measure, filters, period, assumptions. */
export function HowRead({ reading }: { reading: Reading }) {
  const t = useText();
  const { language } = usePreferences();
  const parts: [string, string][] = [
    ...Object.entries(reading.metric ?? {}).map(([word, name]): [string, string] => [
      t.answer.metric,
      word === name ? word : `${word} → ${name}`,
    ]),
    ...(reading.filters ?? []).map((filter): [string, string] => [
      t.answer.filter,
      `${filter.table}.${filter.column} = ${filter.value}`,
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
    <section className="reading" aria-label={t.answer.reading}>
      <h4>{t.answer.reading}</h4>
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

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** A period ends before its end: of 2026, which ends on January 1, 2027, people say December 31. */
function lastDay(start: string, end: string): string {
  if (!DAY.test(end) || end <= start) return end;
  return new Date(Date.parse(end) - 86_400_000).toISOString().slice(0, 10);
}
