import type { Language } from "../app/preferences";

export type Often = "daily" | "weekdays" | "weekly" | "monthly" | "custom";
/** When a report is filled, as a person says it; `custom` is the expression itself. */
export type Rhythm = { often: Often; weekday: number; day: number; time: string; cron: string };

export const FIRST: Rhythm = { often: "weekly", weekday: 1, day: 1, time: "09:00", cron: "0 9 * * 1" };

const two = (number: number) => String(number).padStart(2, "0");

/** The five fields: minute, hour, day, month, weekday. */
export function cronOf({ often, weekday, day, time, cron }: Rhythm): string {
  const [hour = 9, minute = 0] = time.split(":").map(Number);
  switch (often) {
    case "daily":
      return `${minute} ${hour} * * *`;
    case "weekdays":
      return `${minute} ${hour} * * 1-5`;
    case "weekly":
      return `${minute} ${hour} * * ${weekday}`;
    case "monthly":
      return `${minute} ${hour} ${day} * *`;
    default:
      return cron.trim();
  }
}

/** An expression as a rhythm; one that is none of ours stays as it is. */
export function rhythmOf(cron: string): Rhythm {
  const custom: Rhythm = { ...FIRST, often: "custom", cron };
  const [minute = "", hour = "", day = "", month = "", weekday = "", ...rest] = cron.trim().split(/\s+/);
  const isPlain = /^\d{1,2}$/.test(minute) && /^\d{1,2}$/.test(hour) && month === "*" && !rest.length;
  if (!isPlain) return custom;
  const at = { ...FIRST, cron, time: `${two(Number(hour))}:${two(Number(minute))}` };
  if (day === "*" && weekday === "*") return { ...at, often: "daily" };
  if (day === "*" && weekday === "1-5") return { ...at, often: "weekdays" };
  if (day === "*" && /^[0-7]$/.test(weekday)) return { ...at, often: "weekly", weekday: Number(weekday) % 7 };
  if (/^\d{1,2}$/.test(day) && weekday === "*") return { ...at, often: "monthly", day: Number(day) };
  return custom;
}

/** Sunday is 0, as cron counts. */
export function weekdayName(weekday: number, language: Language): string {
  const at = new Date(Date.UTC(2026, 1, 1 + weekday)); // the first of February 2026 is a Sunday
  const locale = language === "zh" ? "zh-CN" : "en-US";
  return new Intl.DateTimeFormat(locale, { weekday: language === "zh" ? "short" : "long", timeZone: "UTC" }).format(at);
}

/** "Every Monday at 9:00", 每周一 9:00; an expression that has no such words is told as it is. */
export function inWords(cron: string, language: Language): string {
  const { often, weekday, day, time } = rhythmOf(cron);
  const at = time.replace(/^0/, "");
  const day0 = weekdayName(weekday, language);
  if (language === "zh") {
    const words = { daily: "每天", weekdays: "每个工作日", weekly: `每${day0}`, monthly: `每月 ${day} 日`, custom: "" };
    return often === "custom" ? cron : `${words[often]} ${at}`;
  }
  const words = {
    daily: "Every day",
    weekdays: "Every weekday",
    weekly: `Every ${day0}`,
    monthly: `On day ${day} of every month`,
    custom: "",
  };
  return often === "custom" ? cron : `${words[often]} at ${at}`;
}
