import { expect, test } from "vitest";

import type { Ending } from "../../../src/outcome/verdict/ending.ts";
import { failedTooMany } from "../../../src/outcome/verdict/failed-too-many.ts";
import type { ScenarioOutcome } from "../../../src/outcome/verdict/scenario-outcomes.ts";
import { endingOf, scenarioOf } from "./ending-of.ts";

function messagesOf(scenario: Partial<ScenarioOutcome>, changes: Partial<Ending> = {}): string[] {
  return failedTooMany(endingOf({ scenarios: [scenarioOf(scenario)], ...changes })).map(
    ({ message }) => message,
  );
}

const failing = { requests: 100, failedRequests: 6, completed: 100 };

test("a run without a threshold on failures fails if more than 5 % of requests or of iterations failed", () => {
  expect(messagesOf(failing)).toEqual([
    "6.00 % of requests failed. The limit is 5 %; to set your own, use --max-failed or a threshold on http_req_failed",
  ]);
  expect(messagesOf({ ...failing, failedRequests: 5 })).toEqual([]);
  expect(messagesOf({ requests: 252, completed: 1, failed: 251 })).toEqual([
    "99.60 % of iterations failed. The limit is 5 %; to set your own, use --max-failed or a threshold on iteration_failed",
  ]);
});

test("a threshold that judges all failures, an overload and an expectation replace the limit; --max-failed applies in addition", () => {
  const judged = { unjudgedRequests: { ended: 0, failed: 0, names: new Set<string>() } };
  expect(messagesOf({ ...failing, ...judged })).toEqual([]);
  expect(messagesOf(failing, { isOverload: true })).toEqual([]);
  expect(messagesOf({ ...failing, expectsFailures: true })).toEqual([]);
  expect(messagesOf(failing, { judging: { maxFailed: 0.1 } })).toEqual([]);
  expect(messagesOf({ ...failing, ...judged }, { judging: { maxFailed: 0.02 } })).toEqual([
    expect.stringMatching(/^6\.00 % of requests failed\. The limit is 2 %;/),
  ]);
  expect(messagesOf(failing, { interruptedBy: "SIGINT" })).toEqual([]);
});

test("the limit applies to what no threshold judges, and names its cause", () => {
  const error = { cause: null, message: "", firstAtMs: 1, origin: "http://127.0.0.1:8080" };
  const errors = [
    { ...error, code: "HTTP_404", name: "GET /old", count: 90 },
    { ...error, code: "HTTP_503", name: "POST /pay", count: 12 },
  ];
  const unjudgedRequests = { ended: 20, failed: 12, names: new Set(["POST /pay"]) };
  const names = new Set(["GET /old", "POST /pay"]);
  const some = { requests: 400, failedRequests: 102, completed: 400, names, unjudgedRequests };
  expect(messagesOf(some, { errors })).toEqual([
    expect.stringMatching(/^60\.00 % of requests failed that no threshold judges: HTTP_503 at /),
  ]);
});

test("the message about iterations has the share of the scenarios in which unjudged ones failed", () => {
  const threw = { unjudgedIterations: { ended: 100, failed: 20 }, completed: 70, failed: 30 };
  expect(messagesOf(threw)).toEqual([expect.stringMatching(/^30\.00 % of iterations failed\. /)]);
  const calm = scenarioOf({ name: "calm", completed: 100 });
  expect(
    failedTooMany(endingOf({ scenarios: [scenarioOf(threw), calm] })).map(({ message }) => message),
  ).toEqual([expect.stringMatching(/^30\.00 % of iterations of visits failed\. /)]);
});

test("the cause is taken from the scenarios that are judged", () => {
  const error = { cause: null, message: "", firstAtMs: 1, origin: "http://127.0.0.1:8080" };
  const errors = [
    { ...error, code: "HTTP_500", name: "GET /", count: 6 },
    { ...error, code: "HTTP_404", name: "GET /old", count: 90 },
  ];
  expect(messagesOf({ ...failing, names: new Set(["GET /"]) }, { errors })).toEqual([
    expect.stringMatching(
      /^6\.00 % of requests failed: HTTP_500 at 127\.0\.0\.1:8080 \(check the server's log\)\. /,
    ),
  ]);
});

test("the message about iterations that threw has the first error", () => {
  const source = { file: "shop.ts", line: 7, column: 3 };
  const thrown = {
    code: "TEST_THREW",
    cause: null,
    message: "Error: no",
    name: "visits",
    count: 9,
    firstAtMs: 1,
  };
  expect(messagesOf({ completed: 91, failed: 9 }, { errors: [{ ...thrown, source }] })).toEqual([
    expect.stringMatching(/^9\.00 % of iterations failed; first error: Error: no at shop\.ts:7:3\. /),
  ]);
});

test("a scenario in which everything failed has another message, so its failures are not reported again", () => {
  expect(messagesOf({ requests: 100, failedRequests: 100, failed: 100 })).toEqual([]);
  const dead = scenarioOf({ name: "orders", requests: 30, failedRequests: 30, failed: 30 });
  const beside = (scenario: Partial<ScenarioOutcome>): string[] =>
    messagesOf({}, { scenarios: [scenarioOf(scenario), dead] });
  expect(beside({ requests: 100, failedRequests: 5, completed: 95, failed: 5 })).toEqual([]);
  expect(beside({ ...failing, failedRequests: 6 })).toEqual([
    expect.stringMatching(/^27\.69 % of requests failed\. /),
  ]);
});
