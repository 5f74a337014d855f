import { expect, test } from "vitest";

import { builtInClients } from "../../../engine/src/built-in-clients.ts";
import { makePlan, type PlannedRun } from "../../src/test-file/make-plan.ts";
import { constantVus, optionsOf, testOf } from "./tests-for-plans.ts";

const { thresholds } = optionsOf({
  threshold: [
    "http_req_failed: rate<1%",
    "http_req_duration{scenario:a}: p(95)<1s",
    "http_req_duration{scenario:b,page:home}: p(95)<1s",
    "http_req_duration{scenario:b,page:home}: p(99)<2s",
    "http_req_duration{scenario!:b}: p(95)<1s",
  ],
});

function plan(chosen: readonly string[], onCommandLine: readonly string[] = []): PlannedRun {
  const surroundings = { environment: {}, cores: 4, clients: builtInClients, fallbackName: "a file" };
  const options = optionsOf({ scenario: chosen, threshold: onCommandLine });
  return makePlan(testOf([constantVus("a"), constantVus("b")], { thresholds }), options, surroundings);
}

test("thresholds on scenarios that --scenario leaves out are not judged, and a note names them", () => {
  expect(plan([])).toMatchObject({ thresholds, notes: [] });
  const { thresholds: judged, notes } = plan(["a"]);
  expect(judged).toEqual([thresholds[0], thresholds[1], thresholds[4]]);
  expect(notes).toEqual([
    "thresholds on scenarios that do not run are not judged: http_req_duration{scenario:b,page:home}.",
  ]);
});

test("thresholds of the command line are judged even if their scenario does not run", () => {
  const { thresholds: judged } = plan(["a"], ["http_reqs{scenario:b}: count>1"]);
  expect(judged.map(({ metric }) => metric)).toContain("http_reqs{scenario:b}");
});

test.each([
  [false, ["abortOnFail has no effect in a shard, which has only a part of the samples: http_req_failed."]],
  [true, []],
])("a threshold cannot end a shard early, unless it is led: %s", (isLed, notes) => {
  const options = optionsOf({ shard: "1/2", threshold: ["http_req_failed: rate<1%"], abortOnFail: true });
  const surroundings = { environment: {}, cores: 4, clients: builtInClients, fallbackName: "a file" };
  expect(makePlan(testOf([constantVus("a")]), options, { ...surroundings, isLed }).notes).toEqual(notes);
});
