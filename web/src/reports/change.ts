import type { Language } from "../app/preferences";
import type { Messages } from "../i18n/en";
import { formatCell, formatPercent } from "../i18n/format";

/** How a placeholder differs from the run before, as the server tells it. */
export type Change = { kind: string; before?: unknown; after?: unknown; rate?: number | null };

/** A change in words: figures as figures, states by their names, and no statement, which says nothing to a reader. */
export function tellChange({ kind, before, after, rate }: Change, t: Messages, language: Language): string {
  const figure = (value: unknown) => formatCell(value ?? null, "number", "", language) || "—";
  const state = (value: unknown) => t.reports.states[String(value)] ?? String(value);
  const rows = (value: unknown) => (value === 1 ? t.answer.oneRow : t.answer.rows(figure(value)));
  switch (kind) {
    case "added":
    case "removed":
    case "sql":
      return t.reports.changed[kind];
    case "status":
      return `${state(before)} → ${state(after)}`;
    case "rows":
      return before === after ? t.reports.changed.rows : `${rows(before)} → ${rows(after)}`;
    default: {
      const share = typeof rate === "number" ? ` (${rate > 0 ? "+" : ""}${formatPercent(rate, language)})` : "";
      return `${figure(before)} → ${figure(after)}${share}`;
    }
  }
}
