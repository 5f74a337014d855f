import { expect, test } from "vitest";
import { closestWord } from "../../src/format/closest-word.ts";

const known = ["run", "bench", "mock", "demo", "markdown"];

test.each([
  ["rnu", undefined],
  ["ru", "run"],
  ["Bench", "bench"],
  ["bnch", "bench"],
  ["markdwon", "markdown"],
  ["dem", "demo"],
  ["completely-else", undefined],
  ["", undefined],
])("%j was meant as %j", (word, meant) => {
  expect(closestWord(word, known)).toBe(meant);
});
