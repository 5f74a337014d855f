import type { ErrorResult } from "@bearhug/sdk";
import { expect, test } from "vitest";

import { lostVuTime } from "../../../src/outcome/verdict/lost-vu-time.ts";
import type { ScenarioOutcome } from "../../../src/outcome/verdict/scenario-outcomes.ts";
import { endingOf, scenarioOf } from "./ending-of.ts";

const refused: ErrorResult = {
  ...{ code: "CONNECTION_REFUSED", cause: null, message: "refused", count: 46, firstAtMs: 1000 },
  ...{ name: "GET /", origin: "http://127.0.0.1:8080" },
};

function said(lostUs: number, changes: Partial<ScenarioOutcome> = {}): string[] {
  const scenario = scenarioOf({
    ...{ names: new Set(["GET /"]), vuTime: { totalUs: 20_000_000, lostUs } },
    ...changes,
  });
  return lostVuTime(endingOf({ scenarios: [scenario], errors: [refused] })).map(({ message }) => message);
}

test("a closed scenario whose virtual users lost more than 5 % of their time fails", () => {
  expect(said(15_000_000)).toEqual([
    "the planned load was not reached: the virtual users of visits lost 75.00 % of their time to requests that were never " +
      "answered, time-outs and back-off; CONNECTION_REFUSED at 127.0.0.1:8080 (is the server up?) " +
      "(limit: 5 %; to set your own, add a threshold on vu_time_lost)",
  ]);
  expect(said(1_000_000)).toEqual([]);
});

test("an open one is judged by what it dropped, and a threshold or an expectation of the test's own replaces the rule", () => {
  expect(said(15_000_000, { executor: "constant-arrival-rate" })).toEqual([]);
  expect(said(15_000_000, { judgesVuTime: true })).toEqual([]);
  expect(said(15_000_000, { expectsFailures: true })).toEqual([]);
  expect(said(0, { vuTime: { totalUs: 0, lostUs: 0 } })).toEqual([]);
});
