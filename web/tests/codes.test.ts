import { describe, expect, it } from "vitest";
import { meanings, readCodes, writeCodes } from "../src/schema/codes";

describe("what codes stand for", () => {
  it("is told in the reader's language, or in the other where nothing else is known", () => {
    const values = { "1": ["paid", "已付", "已支付"], "2": ["退货"], web: ["Web", "网页"] };
    expect(meanings(values, "en")).toEqual(["1 = paid", "2 = 退货", "web"]);
    expect(meanings(values, "zh")).toEqual(["1 = 已付、已支付", "2 = 退货", "web = 网页"]);
  });

  it("is read as it is written", () => {
    const values = { "1": ["paid", "已付"] };
    expect(readCodes(writeCodes(values))).toEqual(values);
  });
});
