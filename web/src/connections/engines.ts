import type { EngineField, EngineKind } from "../api/types";

/** What a person typed, by the name of the field; a field nobody typed in holds its default. */
export type Typed = Partial<Record<string, string>>;

/** The kind the form begins with: a server, since a file is mostly dropped on the first page. */
export function firstChoice(engines: EngineKind[]): EngineKind | undefined {
  return engines.find((each) => each.installed && each.kind === "server") ?? engines[0];
}

export const valueOf = (field: EngineField, typed: Typed): string => typed[field.name] ?? field.default;

/** Whether every field that must be filled in is. */
export function isFilled(engine: EngineKind, typed: Typed): boolean {
  return engine.fields.every((field) => !field.required || valueOf(field, typed).trim() !== "");
}

type Line = [first: EngineField, second?: EngineField];

/** The fields in lines: a port stands beside its host and a password beside its user, every other field alone. */
export function linesOf(fields: EngineField[]): Line[] {
  const lines: Line[] = [];
  for (const field of fields) {
    const last = lines.at(-1);
    if (last?.length === 1 && BESIDE[last[0].name] === field.name) last.push(field);
    else lines.push([field]);
  }
  return lines;
}

const BESIDE: Partial<Record<string, string>> = { host: "port", user: "password" };

/** The address that the fields of an engine make; every part that could hold a separator is escaped. */
export function addressOf(engine: EngineKind, typed: Typed): string {
  const asked = engine.fields.filter((field) => !field.parameter);
  const part = (name: string) => {
    const field = asked.find((each) => each.name === name);
    return field ? valueOf(field, typed) : "";
  };
  const where = engine.kind === "file" ? pathOf(part("path")) : serverOf(part);
  return where && `${engine.scheme}://${where}${parametersOf(engine, typed)}`;
}

const escape = encodeURIComponent;

/** A path is written as it is, but for what the server would read as an escape or as the beginning of parameters. */
function pathOf(path: string): string {
  return path.trim() && `/${path.trim().replace(/[%?]/g, escape)}`;
}

function serverOf(part: (name: string) => string): string {
  const password = part("password") && `:${escape(part("password"))}`;
  const user = part("user") && `${escape(part("user"))}${password}@`;
  const host = part("host").includes(":") && !part("host").startsWith("[") ? `[${part("host")}]` : part("host");
  const port = part("port") && `:${part("port")}`;
  return `${user}${host}${port}/${part("database").split("/").map(escape).join("/")}`;
}

function parametersOf(engine: EngineKind, typed: Typed): string {
  const given = engine.fields.filter((field) => field.parameter && valueOf(field, typed));
  const pairs = given.map((field) => `${escape(field.name)}=${escape(valueOf(field, typed))}`);
  return pairs.length ? `?${pairs.join("&")}` : "";
}
