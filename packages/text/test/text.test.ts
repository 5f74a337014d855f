import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { displayWidth, shorten, takeColumns, wrap } from "../src/display-width.ts";
import { printable } from "../src/printable.ts";
import { anyCharacter } from "../../../tools/vitest/any-character.ts";

const anyText = fc.string({ unit: anyCharacter, maxLength: 40 });

describe("printable", () => {
  test.each([
    ["plain text, zoë, 価格, 🐻", "plain text, zoë, 価格, 🐻"],
    ["\u001b[2J\u001b]0;title\u0007", "\\e[2J\\e]0;title\\u{07}"],
    ["two\r\nlines\t", "two\\r\\nlines\\t"],
    ["\u009b31m", "\\u{9b}31m"],
    ["user\u202egnp.exe", "user\\u{202e}gnp.exe"],
    ["zero\u200bwidth\ufeff", "zero\\u{200b}width\\u{feff}"],
    ["lone \ud800 surrogate", "lone \\u{d800} surrogate"],
    ["\u2028", "\\u{2028}"],
  ])("%j becomes %s", (text, expected) => {
    expect(printable(text)).toBe(expected);
  });

  test("returns no control, format or separator characters", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(printable(text)).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
        expect(printable(text, { unicode: false })).toMatch(/^[\x20-\x7e]*$/);
      }),
    );
  });
});

describe("the width of texts", () => {
  test.each([
    ["", 0],
    ["GET /", 5],
    ["zoë", 3],
    ["zoe\u0308", 3],
    ["価格", 4],
    ["🐻", 2],
    ["👩‍👩‍👧", 2],
    ["❤️", 2],
    ["…", 1],
    ["\u202f", 1],
    ["12 %", 4],
  ])("%j takes %i columns", (text, columns) => {
    expect(displayWidth(text)).toBe(columns);
  });

  test("names are shortened in the middle", () => {
    expect(shorten("GET /api/shop/checkout", 15, "…")).toBe("GET /ap…heckout");
    expect(shorten("GET /api/shop/checkout", 15, "...")).toBe("GET /a...eckout");
    expect(shorten("価格価格価格", 7, "…")).toBe("価…格");
    expect(shorten("GET /", 5, "…")).toBe("GET /");
    expect(shorten("GET /", 1, "…")).toBe("…");
    expect(shorten("GET /", 0, "…")).toBe("");
  });

  test("a shortened text fits", () => {
    fc.assert(
      fc.property(anyText, fc.nat(30), (text, columns) => {
        expect(displayWidth(shorten(printable(text), columns, "…"))).toBeLessThanOrEqual(columns);
      }),
    );
  });

  test("taking columns always takes at least one character", () => {
    expect(takeColumns("価格", 1)).toBe("価");
    expect(takeColumns("abc", 2)).toBe("ab");
  });
});

describe("wrap", () => {
  test("breaks at spaces, and words that are too long", () => {
    expect(wrap("the quick brown fox", 9)).toEqual(["the quick", "brown fox"]);
    expect(wrap("http://example.com/long x", 10)).toEqual(["http://exa", "mple.com/l", "ong x"]);
    expect(wrap("", 10)).toEqual([""]);
  });

  test("loses no word, and no line is too wide", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme-ascii" }), fc.integer({ min: 1, max: 40 }), (text, columns) => {
        const lines = wrap(text, columns);
        expect(lines.join("").replaceAll(" ", "")).toBe(text.replaceAll(" ", ""));
        expect(Math.max(...lines.map(displayWidth))).toBeLessThanOrEqual(columns);
      }),
    );
  });
});

test("text that a CI runner would take for a command is escaped, and an empty text stays empty", () => {
  expect(printable("a ##[error]b")).toBe("a #\\u{23}[error]b");
  expect(printable("")).toBe("");
});
