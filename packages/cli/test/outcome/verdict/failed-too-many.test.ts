import { expect, test } from "vitest";

import type { Ending } from "../../../src/outcome/verdict/ending.ts";
import { failedTooMany } from "../../../src/outcome/verdict/failed-too-many.ts";
import type { ScenarioOutcome } from "../../../src/outcome/verdict/scenario-outcomes.ts";
import { endingOf, scenarioOf } from "./ending-of.ts";

function said(scenario: Partial<ScenarioOutcome>, changes: Partial<Ending> = {}): string[] {
  return failedTooMany(endingOf({ scenarios: [scenarioOf(scenario)], ...changes })).map(
    ({ message }) => message,
  );
}

const failing = { requests: 100, failedRequests: 6, completed: 100 };

test("more than 5 % of requests or of iterations that failed fail a run without a threshold on failures", () => {
  expect(said(failing)).toEqual([
    "6.00 % of requests failed (limit: 5 %; to set your own, use --max-failed or a threshold on http_req_failed)",
  ]);
  expect(said({ ...failing, failedRequests: 5 })).toEqual([]);
  expect(said({ requests: 252, completed: 1, failed: 251 })).toEqual([
    "99.60 % of iterations failed (limit: 5 %; to set your own, use --max-failed or a threshold on iteration_failed)",
  ]);
});

test("a threshold on failures, an overload and an expectation replace the limit; --max-failed holds beside them", () => {
  expect(said(failing, { judgesFailures: true })).toEqual([]);
  expect(said(failing, { isOverload: true })).toEqual([]);
  expect(said({ ...failing, expectsFailures: true })).toEqual([]);
  expect(said(failing, { judging: { maxFailed: 0.1 } })).toEqual([]);
  expect(said(failing, { judging: { maxFailed: 0.02 }, judgesFailures: true })).toHaveLength(1);
  expect(said(failing, { interruptedBy: "SIGINT" })).toEqual([]);
});

test("that all failed is said by another rule", () => {
  expect(said({ requests: 100, failedRequests: 100, failed: 100 })).toEqual([]);
});
