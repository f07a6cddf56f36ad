import type { Language } from "../app/preferences";
import type { Cell, Column } from "../api/types";

const LOCALES: Record<Language, string> = { en: "en-US", zh: "zh-CN" };
const WHOLE = /^-?\d{1,4000}$/;
const DECIMAL = /^(-?)(\d{1,4000})\.(\d{1,4000})$/;
const DATE = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?)?(Z|[+-]\d{2}:?\d{2})?$/;
export const LONGEST_SHOWN = 300;

/** Below this two decimals would hide most of a number: a rate of 0.0042 is not 0. */
const SMALL = 0.1;

const numbers = new Map<string, Intl.NumberFormat>();

function numberFormat(language: Language, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = language + JSON.stringify(options);
  let made = numbers.get(key);
  if (!made) numbers.set(key, (made = new Intl.NumberFormat(LOCALES[language], options)));
  return made;
}

export function formatNumber(value: number, language: Language, digits = 2): string {
  if (!Number.isFinite(value)) return String(value);
  if (value && Math.abs(value) < SMALL) return numberFormat(language, { maximumSignificantDigits: 3 }).format(value);
  return numberFormat(language, { maximumFractionDigits: Number.isInteger(value) ? 0 : digits }).format(value);
}

/**
 * What the cells of a column share, so that they stand under each other: the decimals of its numbers, 0 for whole ones;
 * of its times 1 where they have seconds.
 */
export function alignmentOf(rows: Cell[][], place: number): number {
  const cells = rows.slice(0, 500).map((row) => row[place]);
  const timed = cells.flatMap((cell) => (typeof cell === "string" ? [DATE.exec(cell)?.[6] ?? ""] : []));
  if (timed.some((second) => second !== "" && second !== "00")) return 1;
  const broken = cells.flatMap((cell) =>
    typeof cell === "number" && Number.isFinite(cell) && !Number.isInteger(cell) ? [cell] : [],
  );
  const most = broken.some((value) => Math.abs(value) < SMALL) ? 4 : 2;
  return Math.max(0, ...broken.map((value) => String(Number(value.toFixed(most))).split(".")[1]?.length ?? 0));
}

function formatAligned(value: number, language: Language, decimals: number): string {
  if (!Number.isFinite(value) || (value && Math.abs(value) < 0.5 / 10 ** decimals))
    return formatNumber(value, language);
  return numberFormat(language, { minimumFractionDigits: decimals, maximumFractionDigits: decimals }).format(value);
}

/** A number for an axis: 1.2M, 120万. */
export function formatShort(value: number, language: Language, digits = 1): string {
  const form = { notation: "compact", maximumFractionDigits: digits, useGrouping: "always" } as const;
  return numberFormat(language, form).format(value);
}

export function formatPercent(value: number, language: Language): string {
  return numberFormat(language, { style: "percent", maximumFractionDigits: 0 }).format(value);
}

/** A part of one as per cent, with at most so many decimals and at least so many: 4.3 %. */
export function formatShare(value: number, language: Language, digits = 1, least = 0): string {
  const form = { style: "percent", minimumFractionDigits: least, maximumFractionDigits: digits } as const;
  return numberFormat(language, form).format(value);
}

/** Decimals of a per cent where it is written in full, as in the sentences above it. */
export const SHARE_DIGITS = 2;

/** A number of per cent in full; in a column whose numbers are broken with as many decimals as its others. */
export function formatPercentage(value: number, language: Language, aligned = 0): string {
  return formatShare(value / 100, language, SHARE_DIGITS, aligned ? SHARE_DIGITS : 0);
}

type MoneyForm = "short" | "whole" | "cents";

/** An amount with its currency, with cents or without; without a currency, or with one that is none, a plain number. */
export function formatMoney(value: number, language: Language, currency: string, form?: MoneyForm, digits = 1): string {
  const written = form ?? (Number.isInteger(value) ? "whole" : "cents");
  if (!/^[A-Za-z]{3}$/.test(currency))
    return written === "short"
      ? formatShort(value, language, digits)
      : formatAligned(value, language, written === "cents" ? 2 : 0);
  const forms: Record<MoneyForm, Intl.NumberFormatOptions> = {
    short: { notation: "compact", minimumFractionDigits: 0, maximumFractionDigits: digits, useGrouping: "always" },
    whole: { minimumFractionDigits: 0, maximumFractionDigits: 0 },
    cents: {}, // as many decimals as the currency has: none for yen
  };
  const money = { style: "currency", currency: currency.toUpperCase(), currencyDisplay: "narrowSymbol" } as const;
  return numberFormat(language, { ...money, ...forms[written] }).format(value);
}

/** Integers and decimals that JavaScript cannot hold come as strings: their digits are grouped, never parsed. */
export function formatDigits(text: string, language: Language): string {
  if (WHOLE.test(text)) return numberFormat(language, {}).format(BigInt(text));
  const parts = DECIMAL.exec(text);
  if (!parts) return text;
  const whole = numberFormat(language, {}).format(BigInt(parts[2]!));
  return `${parts[1]}${whole}.${parts[3]}`;
}

/** Dates stand as the database has them, in the reader's order of parts; no zone is applied to a plain time. */
export function formatDate(text: string, language: Language, seconds = false): string {
  const parts = DATE.exec(text);
  if (!parts) return text;
  const [, year, month, day, hour, minute, second, zone] = parts;
  const at = new Date(Date.UTC(+year!, +month! - 1, +day!, +(hour ?? 0), +(minute ?? 0), +(second ?? 0)));
  if (Number.isNaN(at.getTime())) return text;
  const date: Intl.DateTimeFormatOptions = {
    year: "numeric",
    month: language === "zh" ? "numeric" : "short",
    day: "numeric",
    timeZone: "UTC",
  };
  const exact = seconds || (second ?? "00") !== "00";
  const midnight = hour === undefined || (!exact && hour === "00" && minute === "00");
  const time: Intl.DateTimeFormatOptions = midnight
    ? {}
    : { hour: "2-digit", minute: "2-digit", second: exact ? "2-digit" : undefined, hourCycle: "h23" };
  const shown = new Intl.DateTimeFormat(LOCALES[language], { ...date, ...time }).format(at);
  return zone && zone !== "Z" ? `${shown} ${zone}` : shown;
}

/** A moment of the server's, in the reader's own zone. */
export function formatMoment(text: string | null | undefined, language: Language): string {
  if (!text) return "";
  const at = new Date(text);
  if (Number.isNaN(at.getTime())) return text;
  return new Intl.DateTimeFormat(LOCALES[language], { dateStyle: "medium", timeStyle: "short" }).format(at);
}

/** The day of a moment, in the reader's own zone. */
export function formatDay(text: string | null | undefined, language: Language): string {
  const at = new Date(text ?? "");
  if (Number.isNaN(at.getTime())) return text ?? "";
  return new Intl.DateTimeFormat(LOCALES[language], { dateStyle: "medium" }).format(at);
}

export function formatSeconds(ms: number, language: Language): string {
  if (ms < 1000) return language === "zh" ? `${Math.round(ms)} 毫秒` : `${Math.round(ms)} ms`;
  const seconds = formatNumber(ms / 1000, language, 1);
  return language === "zh" ? `${seconds} 秒` : `${seconds} s`;
}

/** A cell as text, in full; null is for the caller to show. */
export function plainCell(cell: Cell): string {
  if (cell === null || cell === undefined) return "";
  return typeof cell === "object" ? JSON.stringify(cell) : String(cell);
}

/** Columns whose numbers are names: 2,026 is no year. Spreadsheets and terminals go by the same words. */
const NAMES_THINGS =
  /(?:^|_)(?:ids?|year|yr|code|no|number|zip|zipcode|postcode|phone)$|^(?:年|年度)$|(?:年份|号|号码|代码|编码|邮编|电话)$/i;

export const namesThings = (column: string): boolean => NAMES_THINGS.test(column);

/** A cell as the reader expects it. Names of columns that hold years or keys keep their digits ungrouped. */
export function formatCell(cell: Cell, kind: string, column: string, language: Language, aligned = 0): string {
  if (cell === null || cell === undefined) return "";
  const isKey = namesThings(column);
  if (typeof cell === "number" && isKey) return String(cell);
  if (typeof cell === "number") return aligned ? formatAligned(cell, language, aligned) : formatNumber(cell, language);
  if (typeof cell !== "string") return cut(plainCell(cell));
  if (kind === "number") return isKey ? cell : formatDigits(cell, language);
  if (kind === "date" || kind === "datetime") return formatDate(cell, language, aligned > 0);
  return cut(cell);
}

/** What a reader calls a column. */
export const columnLabel = (column: Column): string => column.label || column.name;

/** A cell as its column tells it: what a code stands for, an amount with its currency, a share as per cent. */
export function tellCell(cell: Cell, column: Column, language: Language, aligned = 0): string {
  const word = typeof cell === "string" || typeof cell === "number" ? column.words?.[String(cell)] : undefined;
  if (word) return cut(word);
  if (typeof cell === "number" && Number.isFinite(cell)) {
    if (column.format === "money" && column.unit)
      return formatMoney(cell, language, column.unit, aligned ? "cents" : undefined);
    if (column.format === "fraction") return formatPercentage(cell * 100, language, aligned);
    if (column.format === "percent") return formatPercentage(cell, language, aligned);
  }
  return formatCell(cell, column.kind, column.name, language, aligned);
}

function cut(text: string): string {
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
}
