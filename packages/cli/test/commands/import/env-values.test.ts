import { parseEnv } from "node:util";

import fc from "fast-check";
import { expect, test } from "vitest";

import { anyCharacter } from "../../../../../tools/vitest/any-character.ts";
import { addValues } from "../../../src/commands/import/env-files.ts";

test.each([
  ["plain", "A=plain\n"],
  ["two words", "A=two words\n"],
  [" space around ", "A=' space around '\n"],
  ["with#hash", "A='with#hash'\n"],
  ["it's", "A=it's\n"],
  ["' ", `A="' "\n`],
  ["'quoted' # text", `A="'quoted' # text"\n`],
  ["two\nlines", "A='two\nlines'\n"],
])("the value %j is written so that it reads back unchanged", (value, text) => {
  expect(addValues(null, { A: value })).toEqual({ text, unwritable: [], changed: [] });
  expect(parseEnv(text)).toEqual({ A: value });
});

test("a value that a .env cannot represent is reported, and not written", () => {
  expect(addValues(null, { A: "a\r\nb", B: "b" })).toEqual({ text: "B=b\n", unwritable: ["A"], changed: [] });
});

test.each(["'", '"', "`"])("an unclosed quote %s in the existing file swallows no written value", (quote) => {
  const existing = `NOTE=${quote}it`;
  const values = { A: "two words", B: "it's", C: `say "so"` };
  const { text, unwritable } = addValues(existing, values);
  expect(text.startsWith(`${existing}\n`)).toBe(true);
  const written = Object.entries(values).filter(([name]) => !unwritable.includes(name));
  expect(parseEnv(text)).toEqual({ NOTE: `${quote}it`, ...Object.fromEntries(written) });
  expect(written.length).toBeGreaterThan(0);
});

const awkward = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.string({ unit: fc.constantFrom("'", '"', "`", "\\", "\n", "$", "#", "=", " ", "é", "𝒳", "a") }),
  fc.base64String({ minLength: 4000, maxLength: 4100 }).map((text) => `eyJ${text}.sig`),
);

test("whatever the values contain, those that are written read back unchanged beside the existing ones", () => {
  fc.assert(
    fc.property(fc.array(awkward, { maxLength: 5 }), awkward, (texts, own) => {
      const existing = `OWN=${own}`;
      const values = Object.fromEntries(texts.map((text, index) => [`__V${index}`, text]));
      const { text, unwritable } = addValues(existing, values);
      const written = Object.entries(values).filter(([name]) => !unwritable.includes(name));
      expect(text.startsWith(existing)).toBe(true);
      expect(parseEnv(text)).toEqual({ ...parseEnv(existing), ...Object.fromEntries(written) });
    }),
  );
});

test("a value with at most one kind of quote can always be written to a new .env", () => {
  const texts = fc.string({ unit: fc.constantFrom("'", "\\", "\n", "$", "#", "=", " ", "é", "a") });
  fc.assert(
    fc.property(texts, (value) => {
      expect(addValues(null, { A: value }).unwritable).toEqual([]);
    }),
  );
});
