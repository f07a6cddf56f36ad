import { describe, expect, it } from "vitest";
import { fileStem } from "../src/ui/copy";

describe("a file's name", () => {
  it("says what it answers, in either language", () => {
    expect(fileStem("What is the total revenue by region?")).toBe("What-is-the-total-revenue-by-region");
    expect(fileStem("各大区的销售额是多少？")).toBe("各大区的销售额是多少");
  });

  it("has nothing that a file system refuses, and an end", () => {
    expect(fileStem('../a\\b:c*?"<>|\u0000')).not.toMatch(/[\\/:*?"<>|\u0000]/);
    expect([...fileStem("长".repeat(500))].length).toBe(60);
    expect(fileStem("？？")).toBe("inquery");
  });
});
