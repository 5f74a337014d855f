import { expect, onTestFinished, test } from "vitest";

import { runFuzzCase } from "./fuzz-case.ts";

/** `pnpm fuzz` runs as many as there is time for. */
const cases = 1000;

test("whatever frames come, however they are cut, every request ends once and with its own response", () => {
  const { stackTraceLimit } = Error;
  onTestFinished(() => void (Error.stackTraceLimit = stackTraceLimit));
  // Thousands of failures are expected: they need no stacks.
  Error.stackTraceLimit = 0;
  const outcomes = Array.from({ length: cases }, (_, seed) => runFuzzCase(seed));
  const total = (key: "ended" | "failed" | "cancelled"): number =>
    outcomes.reduce((sum, outcome) => sum + outcome[key], 0);
  // Every kind of outcome was frequent.
  expect(total("ended")).toBeGreaterThan(cases / 2);
  expect(total("failed")).toBeGreaterThan(cases / 2);
  expect(total("cancelled")).toBeGreaterThan(cases / 20);
  expect(outcomes.filter(({ isMutated }) => !isMutated).length).toBeGreaterThan(cases / 10);
});
