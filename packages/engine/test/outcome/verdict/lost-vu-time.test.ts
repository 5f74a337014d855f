import type { ErrorResult } from "@bearhug/sdk";
import { expect, test } from "vitest";

import type { Ending } from "../../../src/outcome/verdict/ending.ts";
import { lostVuTime } from "../../../src/outcome/verdict/dropped-too-many.ts";
import type { ScenarioOutcome } from "../../../src/outcome/verdict/scenario-outcomes.ts";
import { varied } from "../../../../report/test/varied-result.ts";
import { endingOf, scenarioOf } from "./ending-of.ts";

const refused: ErrorResult = {
  code: "CONNECTION_REFUSED",
  cause: null,
  message: "refused",
  count: 46,
  firstAtMs: 1000,
  name: "GET /",
  origin: "http://127.0.0.1:8080",
};

function messagesOf(
  lostUs: number,
  changes: Partial<ScenarioOutcome> = {},
  others: Partial<Ending> = {},
): string[] {
  const scenario = scenarioOf({
    names: new Set(["GET /"]),
    vuTime: { totalUs: 20_000_000, lostUs },
    ...changes,
  });
  return lostVuTime(endingOf({ scenarios: [scenario], errors: [refused], ...others })).map(
    ({ message }) => message,
  );
}

test("a closed scenario whose virtual users lost more than 5 % of their time fails", () => {
  expect(messagesOf(15_000_000)).toEqual([
    "the planned load was not reached: the virtual users of visits lost 75.00 % of their time to requests that were never " +
      "answered, timeouts and back-off: CONNECTION_REFUSED at 127.0.0.1:8080 (is the server up?). " +
      "The limit is 5 %; to set your own, add a threshold on vu_time_lost",
  ]);
  expect(messagesOf(1_000_000)).toEqual([]);
});

test("failures that cost no time are not named as the cause, however many there are", () => {
  const quick = ["HTTP_503", "MALFORMED_RESPONSE", "HOST_NOT_ALLOWED"].map((code) => ({
    ...refused,
    code,
    count: 900,
  }));
  const [message] = messagesOf(15_000_000, {}, { errors: [...quick, refused] });
  expect(message).toContain("back-off: CONNECTION_REFUSED at 127.0.0.1:8080 (is the server up?). ");
});

test("an open scenario is judged by its drops instead, and a threshold or expectation of the test replaces the rule", () => {
  expect(messagesOf(15_000_000, { executor: "constant-arrival-rate" })).toEqual([]);
  expect(messagesOf(15_000_000, { judgesVuTime: true })).toEqual([]);
  expect(messagesOf(15_000_000, { expectsFailures: true })).toEqual([]);
  expect(messagesOf(0, { vuTime: { totalUs: 0, lostUs: 0 } })).toEqual([]);
});

test("a target that never answered, or was gone at the end, has another message, so lost time is not reported", () => {
  expect(messagesOf(15_000_000, { requests: 46, failedRequests: 46 })).toEqual([]);
  const target = { scenario: "visits", origin: "http://127.0.0.1:8080" };
  const targets = [{ ...target, succeeded: 900, failed: 46, failedAtEnd: 46 }];
  expect(messagesOf(15_000_000, { requests: 946, failedRequests: 46 }, { targets })).toEqual([]);
});

test("a run in which a variant was down has another message, so lost time is not reported", () => {
  const { variants } = varied;
  if (variants === undefined) throw new Error("The result has no variants.");
  const outage = { kind: "failed", fromMs: 0, untilMs: 2000 } as const;
  const down = variants.variants.map((variant) => ({ ...variant, outage }));
  expect(messagesOf(15_000_000, {}, { variants })).toHaveLength(1);
  expect(messagesOf(15_000_000, {}, { variants: { ...variants, variants: down } })).toEqual([]);
});
