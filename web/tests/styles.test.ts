import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const SOURCE = join(import.meta.dirname, "../src");
const files = readdirSync(SOURCE, { recursive: true, encoding: "utf8" });
const read = (name: string) => readFileSync(join(SOURCE, name), "utf8");
const bare = (css: string) => css.replace(/\/\*[\s\S]*?\*\//g, "").replace(/\{[^{}]*\}/g, "{}");
const lines = (pattern: RegExp, names: string[], of = read) =>
  names.flatMap((name) => [...of(name).matchAll(pattern)].map(([found]) => `${name}: ${found}`));
/** What a chart's own library calls its parts. */
const LIBRARY = /:global\((:is\()?(\.recharts-[\w-]+(, )?)+\)+/g;

describe("styles stand beside their components", () => {
  const sheets = files.filter((name) => name.endsWith(".css"));
  const modules = sheets.filter((name) => name.endsWith(".module.css"));
  const components = files.filter((name) => name.endsWith(".tsx"));

  it("but for one sheet, of colours and elements", () => {
    expect(sheets.filter((name) => !modules.includes(name))).toEqual(["ui/ground.css"]);
    expect(lines(/\.[a-z_][\w-]*/gi, ["ui/ground.css"], (name) => bare(read(name)))).toEqual([]);
  });

  it("and name no class of another's", () => {
    expect(lines(/:global[^{]*/g, modules, (name) => bare(read(name)).replace(LIBRARY, ""))).toEqual([]);
    expect(lines(/className(=|: )\{?["'`][^"'`]*["'`]/g, components)).toEqual([]);
  });

  it("with classes that are there, each of them used", () => {
    const wrong = modules.flatMap((sheet) => {
      const text = bare(read(sheet)).replace(LIBRARY, "");
      const defined = new Set([...text.matchAll(/\.([a-z]\w*)/gi)].map(([, name]) => name!));
      const found = usesOf(sheet, components);
      const unused = [...defined].filter((name) => !found.used.has(name) && !found.chosen);
      return [...unused, ...[...found.used].filter((name) => !defined.has(name))].map((name) => `${sheet}: ${name}`);
    });
    expect(wrong).toEqual([]);
  });
});

/** The classes of a sheet that components name, and whether one chooses among them by a value. */
function usesOf(sheet: string, components: string[]): { used: Set<string>; chosen: boolean } {
  const used = new Set<string>();
  let chosen = false;
  const [folder, file] = sheet.split("/") as [string, string];
  for (const name of components) {
    const text = read(name);
    const [, as] =
      text.match(new RegExp(`import (\\w+) from "(?:\\./|\\.\\./${folder}/)${file.replaceAll(".", "\\.")}"`)) ?? [];
    if (!as || (name.split("/")[0] !== folder && !text.includes(`../${folder}/${file}`))) continue;
    for (const [, found] of text.matchAll(new RegExp(`\\b${as}\\.(?!module)(\\w+)`, "g"))) used.add(found!);
    chosen ||= text.includes(`${as}[`);
  }
  return { used, chosen };
}
