import { describe, expect, it } from "vitest";
import { cronOf, inWords, rhythmOf } from "../src/reports/cron";

describe("a schedule", () => {
  it("is said in words of both languages", () => {
    expect(inWords("0 9 * * 1", "en")).toBe("Every Monday at 9:00");
    expect(inWords("0 9 * * 1", "zh")).toBe("每周一 9:00");
    expect(inWords("30 18 * * 1-5", "zh")).toBe("每个工作日 18:30");
    expect(inWords("5 0 1 * *", "en")).toBe("On day 1 of every month at 0:05");
    expect(inWords("0 7 * * 7", "zh")).toBe("每周日 7:00");
  });

  it("that has no words is told as it is", () => {
    for (const cron of ["*/5 * * * *", "0 9 1 1 *", "0 9 * * 1,3", "nonsense"]) expect(inWords(cron, "en")).toBe(cron);
  });

  it("comes back as the expression it was", () => {
    for (const cron of ["0 9 * * *", "15 8 * * 1-5", "0 9 * * 3", "45 23 28 * *", "*/5 * * * *"])
      expect(cronOf(rhythmOf(cron))).toBe(cron);
  });
});
