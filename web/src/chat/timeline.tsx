import { useState } from "react";
import { usePreferences } from "../app/preferences";
import { useText } from "../i18n";
import { formatSeconds } from "../i18n/format";
import { Spinner } from "../ui/button";
import { classes } from "../ui/dressed";
import { Icon, type IconName } from "../ui/icons";
import { Text } from "../ui/text";
import type { Turn } from "./turn";
import styles from "./timeline.module.css";

const ENDED: Partial<Record<Turn["phase"], IconName>> = { waiting: "clock", failed: "close", stopped: "stop" };

/** What is being done, step by step; one quiet line once it is over. */
export function Timeline({ turn }: { turn: Turn }) {
  const t = useText();
  const { language } = usePreferences();
  const [open, setOpen] = useState(false);
  const busy = turn.phase === "running" || turn.phase === "broken";
  const name = (step: string) => t.step[step] ?? step;
  const stepped = turn.steps.reduce((sum, step) => sum + (step.ms ?? 0), 0);
  // A step that was stopped has not told its time: the clock knows how long it went on.
  const total = turn.usage?.ms ?? Math.max(stepped, elapsed(turn));
  const line = () => {
    const current = turn.steps.findLast((step) => step.ms === null) ?? turn.steps.at(-1);
    const seconds = formatSeconds(total, language);
    switch (turn.phase) {
      case "broken":
        return t.chat.broken;
      case "running":
        return current ? name(current.name) : t.chat.thinking;
      case "waiting":
        return t.chat.waiting;
      case "done":
        return t.chat.done(seconds);
      default:
        return t.chat.failedAfter(seconds);
    }
  };
  if (!turn.steps.length && !busy) return null;
  return (
    <div className={classes(styles.timeline, turn.phase === "done" && styles.done)} aria-busy={busy || undefined}>
      <button type="button" aria-expanded={open} onClick={() => setOpen(!open)}>
        {busy ? <Spinner /> : <Icon name={ENDED[turn.phase] ?? "check"} size={15} />}
        <span className={busy ? styles.shimmer : undefined}>{line()}</span>
        {turn.retries.length > 0 && (
          <Text as="span" muted>
            · {t.chat.retried(turn.retries.length)}
          </Text>
        )}
        <Icon name="chevron" size={14} />
      </button>
      {open && (
        <ol>
          {turn.steps.map((step, place) => (
            <li key={place} className={step.ms === null ? styles.now : undefined}>
              <span>{name(step.name)}</span>
              <Text as="span" muted>
                {step.ms === null ? "…" : formatSeconds(step.ms, language)}
              </Text>
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}

function elapsed({ heard }: Turn): number {
  const ms = Date.parse(heard.last) - Date.parse(heard.first);
  return Number.isFinite(ms) ? ms : 0;
}
