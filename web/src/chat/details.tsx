import type { ReactNode } from "react";
import type { Provenance } from "../api/types";
import { usePreferences } from "../app/preferences";
import { useText } from "../i18n";
import { formatNumber, formatPercent, formatSeconds } from "../i18n/format";
import { Dialog } from "../ui/dialog";
import { Facts, Lines, Tags } from "../ui/lists";
import { Text } from "../ui/text";
import type { Turn } from "./turn";
import styles from "./details.module.css";

/** The drawer that says how an answer came to be: time, tables, joins, samples, terms, tokens. */
export function Details({ turn, onClose }: { turn: Turn; onClose: () => void }) {
  const t = useText();
  const { language } = usePreferences();
  const from: Provenance = turn.answer?.provenance ?? {};
  const usage = turn.usage;
  const longest = Math.max(1, ...turn.steps.map((step) => step.ms ?? 0));
  return (
    <Dialog side title={t.drawer.title} onClose={onClose}>
      <dl className={styles.figures}>
        {usage && <Figure name={t.drawer.time}>{formatSeconds(usage.ms, language)}</Figure>}
        {turn.answer?.confidence != null && (
          <Figure name={t.drawer.confidence}>{formatPercent(turn.answer.confidence, language)}</Figure>
        )}
        {usage && <Figure name={t.drawer.calls}>{formatNumber(usage.model_calls, language)}</Figure>}
        {usage && (
          <Figure name={t.drawer.tokens}>
            {formatNumber(usage.prompt_tokens, language)} / {formatNumber(usage.completion_tokens, language)}
          </Figure>
        )}
        {usage && usage.cost > 0 && <Figure name={t.drawer.cost}>{formatNumber(usage.cost, language, 4)}</Figure>}
        {turn.attempts.length > 0 && turn.phase === "done" && <Figure name={t.drawer.checks}>{t.drawer.passed}</Figure>}
      </dl>
      <Part title={t.drawer.steps}>
        <ol className={styles.bars}>
          {turn.steps.map((step, place) => (
            <li key={place}>
              <span>{t.step[step.name] ?? step.name}</span>
              <span className={styles.bar}>
                <i style={{ width: `${Math.max(1, (100 * (step.ms ?? 0)) / longest)}%` }} />
              </span>
              <Text as="span" muted className={styles.number}>
                {formatSeconds(step.ms ?? 0, language)}
              </Text>
            </li>
          ))}
        </ol>
      </Part>
      <List title={t.drawer.tables} items={from.tables} code />
      <List title={t.drawer.joins} items={from.joins} code />
      <List title={t.drawer.samples} items={from.samples} />
      <List
        title={t.drawer.terms}
        items={Object.entries(from.glossary ?? {}).map(([term, meaning]) => `${term}: ${meaning}`)}
      />
      <List
        title={t.drawer.values}
        items={from.values?.map((value) => `${value.phrase} → ${value.table}.${value.column} = ${value.value}`)}
      />
      <List title={t.drawer.repairs} items={turn.retries} code />
      <List title={t.drawer.advice} items={from.advice} />
      <Facts>
        {from.model && <Figure name={t.drawer.model}>{from.model}</Figure>}
        {from.candidates ? <Figure name={t.drawer.candidates}>{from.candidates}</Figure> : null}
        {from.schema_version && <Figure name={t.drawer.schema}>{from.schema_version}</Figure>}
        {turn.runId && <Figure name={t.drawer.run}>{turn.runId}</Figure>}
      </Facts>
    </Dialog>
  );
}

function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.part}>
      <h3>{title}</h3>
      {children}
    </section>
  );
}

function List({ title, items, code = false }: { title: string; items?: string[]; code?: boolean }) {
  if (!items?.length) return null;
  const Items = code ? Tags : Lines;
  return (
    <Part title={title}>
      <Items>
        {items.map((item, place) => (
          <li key={place}>{code ? <code>{item}</code> : item}</li>
        ))}
      </Items>
    </Part>
  );
}
