import stringWidth from "string-width";
import { expect, test } from "vitest";

import { displayWidth, wrap } from "../src/display-width.ts";

test("each sign that reports use is as wide alone as beside a wide character", () => {
  const signs = Array.from({ length: 0x2600 }, (_, code) => String.fromCharCode(code)).filter((sign) =>
    /^[\x20-\x7e\xa0-\xac\xae-\xff\u2010-\u2027\u202f\u2190-\u2193\u2212\u2264\u2265\u2500-\u259f]$/.test(
      sign,
    ),
  );
  const besideWide = (sign: string): number => displayWidth(`${sign}한`) - displayWidth("한");
  for (const sign of [...signs, "✓", "✗"])
    expect([sign, displayWidth(sign)]).toEqual([sign, besideWide(sign)]);
});

test("combining accents take no column, and emoji take two", () => {
  expect(displayWidth("e\u0301")).toBe(1);
  expect(displayWidth("🐻")).toBe(2);
  expect(displayWidth("©\ufe0f")).toBe(2);
  expect(displayWidth("©")).toBe(1);
});

test("every character has the width that string-width finds", () => {
  const characters = Array.from({ length: 0x20000 }, (_, code) => code)
    .filter((code) => code < 0xd800 || code > 0xdfff)
    .map((code) => String.fromCodePoint(code));
  const different = characters.filter((character) => displayWidth(character) !== stringWidth(character));
  expect(different).toEqual([]);
});

test.each([
  "\u{1f1e9}\u{1f1ea}",
  "\u{1f468}\u200d\u{1f469}\u200d\u{1f467}",
  "\u{1f3f3}\ufe0f\u200d\u{1f308}",
  "1\ufe0f\u20e3",
  "1\u20e3",
  "\u2764\ufe0f",
  "\u{1f44d}\u{1f3fd}",
  "\uff76\uff9e",
  "\u0928\u093f",
  "\u0915\u094d\u0937\u093f",
  "\u0ba4\u0bae\u0bbf",
  "\u0e01\u0e47",
  "\u1100\u1161",
])("characters that are drawn as one have the width that string-width finds: %s", (text) => {
  expect(displayWidth(text)).toBe(stringWidth(text));
});

test.each([
  ["one two three", ["one two", "three"]],
  ["abcdefghij kl", ["abcdefgh", "ij kl"]],
  ["a one\u00a0two\u00a0three b", ["a", "one\u00a0two", "three b"]],
  ["one\u00a0two\u00a0· three", ["one\u00a0two", "· three"]],
  ["one\u00a0twelfths", ["one", "twelfths"]],
  ["abcdefghij\u00a0k", ["abcdefgh", "ij\u00a0k"]],
])("%j is broken within a word only if a whole line has no space", (text, lines) => {
  expect(wrap(text, 8)).toEqual(lines);
});
