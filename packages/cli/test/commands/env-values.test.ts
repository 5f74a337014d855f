import { parseEnv } from "node:util";

import fc from "fast-check";
import { expect, test } from "vitest";

import { addValues } from "../../src/commands/env-values.ts";

test.each([
  ["plain", "A=plain\n"],
  ["two words", "A=two words\n"],
  [" space around ", "A=' space around '\n"],
  ["with#hash", "A='with#hash'\n"],
  ["it's", "A=it's\n"],
  ["'quoted' # text", `A="'quoted' # text"\n`],
  ["two\nlines", "A='two\nlines'\n"],
])("the value %j is written so that it is read as it was", (value, text) => {
  expect(addValues(null, { A: value })).toEqual({ text, unwritable: [], changed: [] });
  expect(parseEnv(text)).toEqual({ A: value });
});

test("a value that no .env can hold is named, and not written", () => {
  expect(addValues(null, { A: "a\r\nb", B: "b" })).toEqual({ text: "B=b\n", unwritable: ["A"], changed: [] });
});

test("whatever the values are, those that are written are read again, and nothing else is", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "binary" }), { maxLength: 5 }), (texts) => {
      const values = Object.fromEntries(texts.map((text, index) => [`V${index}`, text]));
      const { text, unwritable } = addValues("OWN=1\n", values);
      const written = Object.entries(values).filter(([name]) => !unwritable.includes(name));
      expect(parseEnv(text)).toEqual({ OWN: "1", ...Object.fromEntries(written) });
    }),
  );
});
