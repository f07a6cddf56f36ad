import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it, vi } from "vitest";
import type { ReadPart } from "../src/answer/truth";
import { standIn } from "./browser";

standIn();
vi.stubGlobal("document", { documentElement: { dataset: {} } });
const { ReadingParts } = await import("../src/answer/reading");
const { prefer } = await import("../src/app/preferences");

const PARTS: ReadPart[] = [
  { kind: "measure", text: "revenue", changes: [{ label: "Gross profit", question: "Gross profit last month" }] },
  { kind: "period", text: "October 2026", changes: [{ label: "this year", question: "Revenue this year" }] },
  { kind: "definition", text: "Revenue: sum of sales", changes: [] },
];
const shown = (onAsk?: (question: string) => void) =>
  renderToStaticMarkup(
    createElement(ReadingParts, { parts: PARTS, question: "Revenue last month", connection: "demo", onAsk }),
  );

describe("the reading of a question", () => {
  it("lets a part that can mean something else be opened, and no other", () => {
    const html = shown(() => undefined);
    expect(html.match(/aria-haspopup="menu"/g)).toHaveLength(2);
    expect(html).toContain('aria-label="Change measure: revenue"');
    expect(html).toContain('aria-label="Change period: October 2026"');
    expect(html).toContain("Revenue: sum of sales");
  });

  it("is only read where nothing can be asked, as in a shared conversation", () => {
    const html = shown();
    expect(html).not.toContain("<button");
    expect(html).toContain("October 2026");
  });

  it("is told in Chinese to who reads Chinese", () => {
    prefer({ language: "zh" });
    expect(shown(() => undefined)).toContain('aria-label="更改时间：October 2026"');
    prefer({ language: "en" });
  });
});
