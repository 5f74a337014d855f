import { expect, test } from "vitest";
import { closestName } from "../src/closest-name.ts";

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
  expect(closestName(word, known)).toBe(meant);
});
