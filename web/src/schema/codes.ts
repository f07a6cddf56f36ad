import type { Language } from "../app/preferences";

const CHINESE = /[\u3400-\u9fff]/;

/** What values stand for, in the reader's language where it is known in both: `1 = paid`, `1 = 已付`. */
export function meanings(values: Record<string, string[]>, language: Language): string[] {
  return Object.entries(values).map(([value, words]) => {
    const own = words.filter((word) => CHINESE.test(word) === (language === "zh"));
    const told = (own.length ? own : words).filter((word) => word.toLowerCase() !== value.toLowerCase());
    return told.length ? `${value} = ${told.join(language === "zh" ? "、" : ", ")}` : value;
  });
}

/** `1 = paid, 已付` a line, by value. */
export function readCodes(text: string): Record<string, string[]> {
  const pairs = text.split("\n").map((line) => line.split(/=(.*)/s));
  return Object.fromEntries(
    pairs.flatMap(([value = "", words]) => {
      const said = (words ?? "").split(/[,，、]/).map((word) => word.trim());
      return value.trim() && said.some(Boolean) ? [[value.trim(), said.filter(Boolean)]] : [];
    }),
  );
}

export function writeCodes(values: Record<string, string[]>): string {
  return Object.entries(values)
    .map(([value, words]) => `${value} = ${words.join(", ")}`)
    .join("\n");
}
