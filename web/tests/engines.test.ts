import { describe, expect, it } from "vitest";
import type { EngineField, EngineKind } from "../src/api/types";
import { addressOf, firstChoice, isFilled, linesOf } from "../src/connections/engines";

const field = (name: string, said: Partial<EngineField> = {}): EngineField => ({
  name,
  parameter: false,
  label: { en: name, zh: name },
  default: "",
  required: false,
  secret: false,
  ...said,
});
const engine = (scheme: string, kind: EngineKind["kind"], fields: EngineField[], installed = true): EngineKind => ({
  scheme,
  label: { en: scheme, zh: scheme },
  dialect: scheme,
  kind,
  example: "",
  fields,
  suffixes: [],
  uploads: false,
  installed,
  extra: null,
  plugin: false,
});

const account = [field("user"), field("password", { secret: true })];
const postgres = engine("postgresql", "server", [
  field("host", { default: "localhost" }),
  field("port", { default: "5432" }),
  field("database"),
  ...account,
]);
const snowflake = engine("snowflake", "server", [
  field("host", { required: true }),
  field("database", { required: true }),
  ...account,
  field("warehouse", { parameter: true }),
  field("role", { parameter: true }),
]);
const path = field("path", { required: true });
const sqlite = engine("sqlite", "file", [path]);
const chdb = engine("chdb", "file", [path, field("database", { parameter: true })]);

describe("the address of a server", () => {
  it("holds the defaults where nothing was typed, and nothing where a default was removed", () => {
    expect(addressOf(postgres, {})).toBe("postgresql://localhost:5432/");
    expect(addressOf(postgres, { port: "", database: "shop" })).toBe("postgresql://localhost/shop");
  });

  it("escapes what would change its meaning", () => {
    expect(addressOf(postgres, { host: "db", database: "shop", user: "a@b", password: "p/w:1#" })).toBe(
      "postgresql://a%40b:p%2Fw%3A1%23@db:5432/shop",
    );
    expect(addressOf(postgres, { host: "::1", database: "a b/c?" })).toBe("postgresql://[::1]:5432/a%20b/c%3F");
  });

  it("has the parameters that were typed behind a question mark", () => {
    const typed = { host: "acme-eu", database: "shop/public", user: "ann", warehouse: "A&B = c+d" };
    expect(addressOf(snowflake, typed)).toBe("snowflake://ann@acme-eu/shop/public?warehouse=A%26B%20%3D%20c%2Bd");
    expect(addressOf(snowflake, { ...typed, role: "r" })).toMatch(/\?warehouse=[^&]+&role=r$/);
  });

  it("leaves out what was typed for another kind", () => {
    const typed = { host: "acme-eu", port: "5432", database: "shop", path: "/x.db", sid: "y" };
    expect(addressOf(snowflake, typed)).toBe("snowflake://acme-eu/shop");
  });
});

describe("the address of a file", () => {
  it("keeps a path from the root and a relative one apart", () => {
    expect(addressOf(sqlite, { path: " /data/shop.db " })).toBe("sqlite:////data/shop.db");
    expect(addressOf(sqlite, { path: "shop.db" })).toBe("sqlite:///shop.db");
  });

  it("stays readable, but for a question mark and a percent sign", () => {
    expect(addressOf(sqlite, { path: "/数据/a b#1?50%.db" })).toBe("sqlite:////数据/a b#1%3F50%25.db");
  });

  it("tells a parameter from a part of the same name", () => {
    expect(addressOf(chdb, { path: "/data", database: "shop" })).toBe("chdb:////data?database=shop");
  });

  it("is empty without a path", () => {
    expect(addressOf(chdb, { path: " ", database: "shop" })).toBe("");
  });
});

describe("the form of an engine", () => {
  it("is filled in once every required field is", () => {
    expect(isFilled(postgres, {})).toBe(true);
    expect(isFilled(snowflake, { host: "acme-eu", database: " " })).toBe(false);
    expect(isFilled(snowflake, { host: "acme-eu", database: "shop" })).toBe(true);
  });

  it("sets a port beside its host and a password beside its user, wherever they come", () => {
    const names = (each: EngineKind) => linesOf(each.fields).map((line) => line.map((one) => one?.name).join(" "));
    expect(names(postgres)).toEqual(["host port", "database", "user password"]);
    expect(names(snowflake)).toEqual(["host", "database", "user password", "warehouse", "role"]);
  });

  it("begins with the first server whose driver is there, else with what comes first", () => {
    const missing = { ...postgres, installed: false };
    expect(firstChoice([sqlite, missing, snowflake, postgres])).toBe(snowflake);
    expect(firstChoice([sqlite, missing])).toBe(sqlite);
    expect(firstChoice([])).toBeUndefined();
  });
});
