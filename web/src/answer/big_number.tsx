import type { Answer } from "../api/types";
import { lookOf, toNumber } from "../chart/model";
import { useCurrency, useWriter } from "../chart/units";
import type { Turn } from "../chat/turn";
import { usePreferences } from "../app/preferences";
import { useText } from "../i18n";
import { formatNumber, tellCell } from "../i18n/format";
import { Figure, Text } from "../ui/text";
import styles from "./certainty.module.css";

/** Facts whose columns stand beside the figure, not for it. */
const COMPARED = new Set(["previous", "difference", "change_percent", "share_percent", "contribution_percent"]);

type Result = NonNullable<Turn["result"]>;

/** The place of the one figure that a result is about: its only cell, or of a comparison the value itself. */
export function figurePlace(result: Result, facts: Answer["facts"]): number {
  if (result.rowCount !== 1) return -1;
  if (result.columns.length === 1) return 0;
  if (!facts.some((fact) => fact.kind === "change_percent")) return -1;
  const compared = new Set(facts.filter((fact) => COMPARED.has(fact.kind)).map((fact) => fact.column));
  return result.columns.findIndex((column) => column.kind === "number" && !compared.has(column.name));
}

/** The number itself where an answer is one, with its change where it was compared; nothing else. */
export function BigNumber({
  result,
  answer,
  connection,
}: {
  result: Result;
  answer: Answer | null;
  connection: string;
}) {
  const t = useText();
  const { language } = usePreferences();
  const facts = answer?.facts ?? [];
  const place = figurePlace(result, facts);
  const column = result.columns[place];
  const cell = result.rows[0]?.[place] ?? null;
  const number = toNumber(cell);
  const look = lookOf(column, [number]);
  const currency = useCurrency(connection, column !== undefined && look.unit === "money" && !look.currency);
  const writer = useWriter(column, [number], currency);
  if (!column || cell === null) return null;
  const plain = look.unit === "plain" || typeof cell !== "number";
  const shown = plain || column.format ? tellCell(cell, column, language) : writer.full(cell);
  const figureOf = (kind: string) => {
    const value = facts.find((fact) => fact.kind === kind)?.value;
    return typeof value === "number" ? value : null;
  };
  const [rate, before] = [figureOf("change_percent"), figureOf("previous")];
  // Its column is called by the real period: revenue Q3 2025.
  const earlier = facts.find((fact) => fact.kind === "previous")?.column;
  const period = result.columns.find((each) => each.name === earlier)?.label ?? "";
  return (
    <div className={styles.change}>
      <Figure>{shown}</Figure>
      {rate !== null && (
        <p className={styles.rate}>
          <span aria-hidden="true">{rate > 0 ? "▲ " : rate < 0 ? "▼ " : ""}</span>
          {`${rate > 0 ? "+" : ""}${formatNumber(rate, language, 1)}%`}
        </p>
      )}
      {before !== null && <Text muted>{t.truth.before(writer.full(before), period)}</Text>}
    </div>
  );
}
