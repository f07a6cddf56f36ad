import { get } from "../api/client";
import type { Column } from "../api/types";
import { useLoad } from "../app/load";
import { usePreferences, type Language } from "../app/preferences";
import { useWorld } from "../app/world";
import { formatMoney, formatNumber, formatPercentage, formatShare, formatShort } from "../i18n/format";
import { lookOf, type Unit } from "./model";

/** The currency of a database's amounts: what it was added with, else what its glossary says. */
export function useCurrency(connection: string, needed: boolean): string {
  const { connections } = useWorld();
  const said = connections.find((each) => each.id === connection)?.options.currency;
  const asks = needed && !said && connection && connection !== "auto";
  const glossary = useLoad(asks ? `currency ${connection}` : null, async () => {
    const found = await get("/connections/{connection_id}/glossary", { path: { connection_id: connection } });
    return (found.glossary.calendar as { currency?: string } | undefined)?.currency ?? "";
  });
  return typeof said === "string" && said ? said : (glossary.data ?? "");
}

export type Shown = { short: (value: number, digits?: number) => string; full: (value: number) => string };

const MOST_DIGITS = 3;

/** Numbers that are written above their bars: short, yet with the digits that tell them apart (3.63K and 3.61K). */
export function labelWriter(writer: Shown, values: (number | null)[]): (value: number) => string {
  const known = [...new Set(values.filter((value) => value !== null))];
  const told = (digits: number) => new Set(known.map((value) => writer.short(value, digits))).size;
  const most = Math.min(known.length, new Set(known.map((value) => writer.full(value))).size);
  let digits = 1;
  while (digits < MOST_DIGITS && told(digits) < most) digits += 1;
  return (value) => writer.short(value, digits);
}

/** How the numbers of one unit are written, on an axis and in full; all with cents where one of them has some. */
export function writerOf(unit: Unit, language: Language, currency: string, values: (number | null)[]): Shown {
  const largest = Math.max(0, ...values.map((value) => Math.abs(value ?? 0)));
  const cents = values.some((value) => value !== null && !Number.isInteger(value)) ? "cents" : undefined;
  const share = (value: number, digits = 1) => formatShare(value, language, digits);
  const percent = (value: number, digits = 1) => `${formatNumber(value, language, digits)}%`;
  switch (unit) {
    case "rate":
      return { short: share, full: (value) => formatPercentage(value * 100, language) };
    case "percent":
      return { short: percent, full: (value) => formatPercentage(value, language) };
    case "money":
      return {
        short: (value, digits) => formatMoney(value, language, currency, "short", digits),
        full: (value) => formatMoney(value, language, currency, cents),
      };
    default:
      return {
        // One decimal would write 0.04 and 0.06 alike.
        short: (value, digits) =>
          largest < 1 ? formatNumber(value, language, 3) : formatShort(value, language, digits),
        full: (value) => formatNumber(value, language),
      };
  }
}

/** The writer of a column's numbers in the reader's language; `currency` is for amounts whose own nobody said. */
export function useWriter(column: Column | undefined, values: (number | null)[], currency: string): Shown {
  const { language } = usePreferences();
  const look = lookOf(column, values);
  return writerOf(look.unit, language, look.currency || currency, values);
}
