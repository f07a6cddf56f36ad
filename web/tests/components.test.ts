import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it, vi } from "vitest";
import type { Answer, Column } from "../src/api/types";
import { standIn } from "./browser";

standIn();
vi.stubGlobal("document", { documentElement: { dataset: {} } });
const { SmallTable } = await import("../src/answer/small_table");
const { GradeBadge, Readings } = await import("../src/answer/certainty");
const { PlainTable } = await import("../src/settings/plain_table");
const { ReadingProgress } = await import("../src/schema/reading_progress");
const { ParameterFields } = await import("../src/reports/parameters");
const { deedOf, databaseOf } = await import("../src/settings/audit");
const { referring } = await import("../src/settings/grants");
const { RemoveButton } = await import("../src/ui/remove_button");
const { prefer } = await import("../src/app/preferences");
const { CATALOGUES } = await import("../src/i18n");
const { untold } = await import("../src/answer/truth");
const { Notices, notify, withdraw } = await import("../src/ui/notice");
const { formatSeconds } = await import("../src/i18n/format");
const { HeatMap } = await import("../src/chart/grid");
const { widthOf } = await import("../src/chart/model");
const { labelWriter, writerOf } = await import("../src/chart/units");

const MONEY: Column = { name: "revenue", kind: "number", label: "销售额", format: "money", unit: "CNY" };
const STORE: Column = { name: "store", kind: "text" };
const answer = (part: object) => part as Answer;

describe("amounts of one chart", () => {
  it("have cents all or none, and none where they are short", () => {
    const cents = writerOf("money", "en", "CNY", [1.5, 2]);
    const whole = writerOf("money", "en", "CNY", [1, 2]);
    expect([cents.full(2), whole.full(2), cents.short(1_500_000)]).toEqual(["¥2.00", "¥2", "¥1.5M"]);
  });

  it("are told apart above their bars, and no longer than that takes", () => {
    const above = (values: number[]) => values.map(labelWriter(writerOf("money", "en", "CNY", values), values));
    expect(above([3634.17, 3607.97, 3599.44])).toEqual(["¥3.63K", "¥3.61K", "¥3.6K"]);
    expect(above([5_390_520.29, 4_771_249.67])).toEqual(["¥5.4M", "¥4.8M"]);
    expect(above([7, 7])).toEqual(["¥7", "¥7"]);
  });
});

describe("what is said in the corner", () => {
  const said = () =>
    [...renderToStaticMarkup(createElement(Notices)).matchAll(/<span>(.*?)<\/span>/g)].map(([, text]) => text);

  it("is said once, goes after a while, and at once when it is no longer true", () => {
    vi.useFakeTimers();
    notify("Saved");
    notify("Saved");
    notify("It was proposed.", "thumb 1");
    expect(said()).toEqual(["Saved", "It was proposed."]);
    withdraw("thumb 1");
    expect(said()).toEqual(["Saved"]);
    notify("Will not be reused.", "thumb 1");
    vi.advanceTimersByTime(4000);
    notify("Saved");
    vi.advanceTimersByTime(2000);
    expect(said()).toEqual(["Saved"]);
    vi.advanceTimersByTime(4000);
    expect(said()).toEqual([]);
    vi.useRealTimers();
  });
});

describe("a heat map", () => {
  it("writes every head in full, within the width of its picture, and fits a card with fifteen columns", () => {
    const names = ["Computers", "Home Appliances", ...Array.from({ length: 13 }, (_, place) => `Category ${place}`)];
    const grid = { columns: names, rows: ["east"], cells: [names.map((_, place) => 882_200 - place)], cut: false };
    const html = renderToStaticMarkup(
      createElement(HeatMap, { grid, measure: MONEY, x: "category", split: "region", currency: "", open: [] }),
    );
    for (const name of names) expect(html).toContain(`>${name}<title>`);
    expect(html).not.toContain("…");
    const wide = Number(/<svg[^>]* width="(\d+)/.exec(html)?.[1]);
    const last = Number([...html.matchAll(/translate\((\d+(?:\.\d+)?) \d+\) rotate/g)].at(-1)?.[1]);
    expect(last + widthOf("Category 12") / 2).toBeLessThanOrEqual(wide);
    expect(wide).toBeLessThanOrEqual(800);
  });
});

describe("the first rows", () => {
  const rows = Array.from({ length: 9 }, (_, place) => [`store ${place}`, place ? place : 0.5]);
  const shown = (onAll?: () => void) =>
    renderToStaticMarkup(createElement(SmallTable, { columns: [STORE, MONEY], rows, total: 9, onAll }));

  it("are five, under the reader's words, with amounts that stand under each other", () => {
    const html = shown(() => undefined);
    expect(html.match(/<tr>/g)).toHaveLength(1 + 5);
    expect(html).toContain("销售额");
    expect([html.includes("¥0.50"), html.includes("¥4.00"), html.includes("store 5")]).toEqual([true, true, false]);
    expect(html).toContain("<button");
  });

  it("have a dash for an empty cell, and none for a nought or for words that are empty", () => {
    const rows = [
      [null, null],
      ["", 0],
    ];
    const html = renderToStaticMarkup(createElement(SmallTable, { columns: [STORE, MONEY], rows, total: 2 }));
    const cells = [...html.matchAll(/<td[^>]*>(.*?)<\/td>/g)].map(([, cell]) => cell!.replace(/ class="[^"]*"/, ""));
    const dash = '<span title="NULL">—</span>';
    expect(cells).toEqual([dash, dash, "", "¥0"]);
  });

  it("lead nowhere where there is no more to see", () => {
    expect(shown()).not.toContain("<button");
  });
});

describe("how long it took", () => {
  it("stands in Chinese words without a blank before them", () => {
    expect(CATALOGUES.zh.chat.failedAfter(formatSeconds(1500, "zh"))).toBe("1.5 秒后结束");
    expect(CATALOGUES.en.chat.failedAfter(formatSeconds(1500, "en"))).toBe("Ended after 1.5 s");
  });
});

describe("a parameter of a report", () => {
  it("has each choice once, the usual one taken, and an empty one where the usual is none of them", () => {
    const choices = (usual: string) => {
      const parameters = [{ name: "大区", type: "text", default: usual, choices: ["华东", "华南"] }] as never;
      const html = renderToStaticMarkup(createElement(ParameterFields, { parameters, given: {}, onChange: () => {} }));
      const select = html.slice(html.indexOf("<select"));
      return [...select.matchAll(/<option[^>]*?( selected="")?>(华东|华南|)<\/option>/g)].map(([, taken, text]) =>
        taken ? `${text}*` : text,
      );
    };
    expect(choices("华东")).toEqual(["华东*", "华南"]);
    expect(choices("")).toEqual(["*", "华东", "华南"]);
  });
});

describe("a table with buttons", () => {
  it("names their column for who hears it, and each cell for who reads it on a phone", () => {
    const rows = [["ann", "Viewer", createElement("button", {}, "Disable")]];
    const html = renderToStaticMarkup(
      createElement(PlainTable, { label: "Users", head: ["Name", "Role", ""], rows, none: "" }),
    );
    expect(html).toMatch(/<span class="[^"]*visuallyHidden[^"]*">Actions<\/span>/);
    expect(html).toContain('data-head="Role"');
  });
});

describe("a database that is still being read", () => {
  const shown = () =>
    renderToStaticMarkup(createElement(ReadingProgress, { reading: { done: 1500, total: 5000 } })).replace(/\s+/g, " ");

  it("says how far it is, in the reader's language", () => {
    expect(shown()).toContain("1,500 of 5,000");
    expect(shown()).toContain('value="1500" max="5000"');
    prefer({ language: "zh" });
    expect(shown()).toContain("1,500 / 5,000");
    prefer({ language: "en" });
  });
});

describe("how sure an answer is", () => {
  const badge = (grade: string | null, verified = false) =>
    renderToStaticMarkup(createElement(GradeBadge, { answer: answer({ grade }), verified }));

  it("is a word in the reader's language, and none where nobody said", () => {
    prefer({ language: "zh" });
    expect(
      [badge("check"), badge("likely")].map((html) => /[一-龥]+/.exec(html.replace(/title="[^"]*"/, ""))?.[0]),
    ).toEqual(["请核对", "较可信"]);
    prefer({ language: "en" });
    expect([badge("check").includes("Please check"), badge(null), badge(null, true).includes("Verified")]).toEqual([
      true,
      "",
      true,
    ]);
  });
});

describe("two readings", () => {
  const first = { label: "", text: "a", columns: [MONEY], rows: [[1.5]] };
  const shown = (alternatives: object[]) =>
    renderToStaticMarkup(
      createElement(Readings, { answer: answer({ alternatives }), first, chosen: 0, onChoose: () => undefined }),
    );

  it("stand side by side, with one button for each that is not shown", () => {
    const html = shown([
      {
        sql: "SELECT 2",
        text: "The orders are 2.",
        columns: ["n"],
        words: [{ ...MONEY, label: "orders" }],
        rows: [[2]],
      },
    ]);
    expect(html.match(/<li/g)).toHaveLength(2);
    expect(html.match(/<button/g)).toHaveLength(1);
    expect([html.includes("¥1.50"), html.includes("¥2"), html.includes("The orders are 2.")]).toEqual([
      true,
      true,
      true,
    ]);
  });

  it("are not there where the question has one", () => {
    expect(shown([])).toBe("");
  });
});

describe("what is deleted", () => {
  it("is named by its button, and not gone before a person said so", () => {
    const gone = vi.fn(() => Promise.resolve());
    const html = renderToStaticMarkup(createElement(RemoveButton, { what: "ann", onRemove: gone }));
    expect([html.includes("Delete: ann"), html.includes("<dialog"), gone.mock.calls.length]).toEqual([true, false, 0]);
  });
});

describe("warnings", () => {
  it("are told once: not below a sentence, and not beside one, that says the same", () => {
    const told = "青岛台东店最高。3,759条订单中有2,679条没有门店，未计入。";
    const left = "3,759条订单中有2,679条没有门店，未计入。";
    const [filter, check] = ["筛选可能与时间不一致。", "请核对：筛选可能与时间不一致；换一种理解会得到不同的结果。"];
    expect(untold([left, filter, check], told)).toEqual([check]);
    expect(untold([left], "")).toEqual([left]);
  });
});

describe("the audit log", () => {
  it("says that somebody was not let in, and names databases", () => {
    const told = (outcome: string) => deedOf({ action: "auth.login", outcome }, CATALOGUES.en);
    expect([told("ok"), told("login_failed")]).toEqual(["signed in", "failed to sign in"]);
    expect(deedOf({ action: "auth.login", outcome: "login_failed" }, CATALOGUES.zh)).toBe("登录失败");
    const known = [{ id: "0123456789abcdef0123456789abcdef", name: "shop" }];
    expect([databaseOf(known[0]!.id, known), databaseOf("gone", known)]).toEqual(["shop", "gone"]);
  });
});

describe("a row rule", () => {
  it("names the tables that refer to the filtered one and stay whole", () => {
    const joins = [
      { left: "orders", right: "stores" },
      { left: "orders", right: "stores" },
      { left: "orders", right: "customers" },
      { left: "stores", right: "stores" },
    ];
    expect(referring("stores", joins)).toEqual(["orders"]);
    expect(CATALOGUES.en.settings.onlyThisTable("stores", ["orders"])).toContain("own: orders.");
    expect(CATALOGUES.zh.settings.onlyThisTable("orders", [])).toContain("其他表仍完整可见");
  });
});
