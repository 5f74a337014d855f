import { expect, test } from "vitest";
import type { CaptureModel } from "../../src/capture-model.ts";
import { findFixedWords } from "../../src/source/leave-out-leaks.ts";
import { pairs, writePair } from "../pairs/pairs.ts";

test.each(pairs)("no word in $name that comes from the test writer counts as a leak", async (pair) => {
  const { source, model } = await writePair(pair);
  const captured = lettersOf(model);
  const words = (source.replace(/\\./g, " ").match(/[A-Z]?[a-z]{5,}/g) ?? []).filter(
    (word) => !captured.includes(word.toLowerCase()),
  );
  const isFixed = findFixedWords(pair.testOptions);
  expect(words).toContain("define");
  expect(words.filter((word) => !isFixed(word))).toEqual([]);
});

/** Returns the letters of all texts of a model, in lower case. */
function lettersOf(model: CaptureModel): string {
  const texts: string[] = [];
  JSON.stringify(model, (_key, value: unknown) => {
    if (typeof value === "string") texts.push(value);
    return value;
  });
  return texts.map((text) => text.replace(/[^A-Za-z]/g, "").toLowerCase()).join(" ");
}
