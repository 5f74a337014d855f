import { describe, expect, test } from "vitest";

import { logLines } from "../src/log-lines.ts";

const lines = (text: string, level: "info" | "warn" | "error" = "info"): string[] =>
  logLines({ level, text, from: "browse, VU 1" });

describe("a log entry of a test", () => {
  test("of one line ends with its origin", () => {
    expect(lines("order placed")).toEqual(["order placed  (browse, VU 1)"]);
    expect(lines("slow", "warn")).toEqual(["warn: slow  (browse, VU 1)"]);
    expect(lines("")).toEqual(["  (browse, VU 1)"]);
  });

  test("of several lines has the later ones indented below the first", () => {
    expect(lines("order {\n  id: 7,\r\n\n\tnote: 'x'\n}\n")).toEqual([
      "order {  (browse, VU 1)",
      "    id: 7,",
      "",
      "      note: 'x'",
      "  }",
    ]);
    expect(lines("\n \n  Error: no seat\n    at exec (shop.ts:3:1)\n\n")).toEqual([
      "  Error: no seat  (browse, VU 1)",
      "      at exec (shop.ts:3:1)",
    ]);
  });

  test("does not move the cursor, or give a command to a CI runner on any of its lines", () => {
    const hostile = "a\rb\u001b[2J\n::error::x\n  ::set-output name=y::z\n##[error]\u202e\u2028c\u0085d";
    expect(lines(hostile)).toEqual([
      "a\\rb\\e[2J  (browse, VU 1)",
      "  :\\u{3a}error::x",
      "    :\\u{3a}set-output name=y::z",
      "  #\\u{23}[error]\\u{202e}\\u{2028}c\\u{85}d",
    ]);
    expect(lines("::error::x\n##[group]")[0]).toBe(":\\u{3a}error::x  (browse, VU 1)");
  });
});
