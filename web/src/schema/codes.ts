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
