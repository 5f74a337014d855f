import { describe, expect, test } from "vitest";

import { builtInClients } from "../../../engine/src/built-in-clients.ts";
import { makePlan, type PlannedRun } from "../../src/test-file/make-plan.ts";
import { constantVus, optionsOf, testOf } from "./tests-for-plans.ts";

function plan(threshold: string, tag: readonly string[] = []): PlannedRun {
  const surroundings = { environment: {}, cores: 4, clients: builtInClients, fallbackName: "a file" };
  return makePlan(testOf([constantVus("a")]), optionsOf({ threshold: [threshold], tag }), surroundings);
}

describe("a filter that can never select a sample is refused:", () => {
  test.each([
    [
      "http_req_duration{group:::a::b}: p(95)<1s",
      "groups have no :: before the first name, as they do in k6: write {group:a::b}.",
    ],
    ["http_req_duration{method:get}: p(95)<1s", "methods are in capitals: write {method:GET}."],
    ["http_reqs{status!:ok}: count>1", "a status is a number, such as {status:200}."],
    ["http_reqs{expected_response:yes}: count>1", "expected_response is true or false."],
    [
      "iterations{page:home}: count>1",
      "samples of iterations have no tag page: only samples within a page have it.",
    ],
    [
      "iteration_duration{status!:500}: p(95)<1s",
      "samples of iteration_duration have no tag status: only requests have it.",
    ],
    ["vu_time_lost{name:GET /}: rate<1%", "samples of vu_time_lost have no tag name: only requests have it."],
    ["checks{name:GET /}: rate>1%", "samples of checks have no tag name: only requests have it."],
  ])("%s", (threshold, problem) => {
    const [key] = threshold.split(": ");
    expect(() => plan(threshold)).toThrow(`Threshold "${key}": ${problem}`);
  });
});

test.each([
  "http_req_duration{group:a::b}: p(95)<1s",
  "http_req_duration{method:GET,status!:500,expected_response:true}: p(95)<1s",
  "http_req_duration{group~:^::}: p(95)<1s",
  "checks{page:home,check:ok}: rate>1%",
  "iterations{scenario:a}: count>1",
  "basket{kind:large}: count>1",
])("%s may select samples", (threshold) => {
  const options = optionsOf({ threshold: [threshold] });
  const surroundings = { environment: {}, cores: 4, clients: builtInClients, fallbackName: "a file" };
  const metrics = { basket: { type: "counter", unit: null } } as const;
  expect(makePlan(testOf([constantVus("a")], { metrics }), options, surroundings).notes).toEqual([]);
});

test("a filter on a tag that only the test's code could set makes a note, which may suggest a tag of bearhug", () => {
  expect(plan("http_req_duration{url:/,proto:h2}: p(95)<1s").notes).toEqual([
    `threshold "http_req_duration{url:/,proto:h2}": no sample has a tag url unless the test sets it. Did you mean name?`,
    `threshold "http_req_duration{url:/,proto:h2}": no sample has a tag proto unless the test sets it. Did you mean protocol?`,
  ]);
  expect(plan("http_req_duration{statsu!:500}: p(95)<1s").notes).toEqual([
    `threshold "http_req_duration{statsu!:500}": no sample has a tag statsu unless the test sets it. Did you mean status?`,
  ]);
  expect(plan("http_req_duration{vu:1}: p(95)<1s").notes).toEqual([
    `threshold "http_req_duration{vu:1}": no sample has a tag vu unless the test sets it.`,
  ]);
  expect(plan("http_req_duration{url:/}: p(95)<1s", ["url=/"]).notes).toEqual([]);
});

test.each([
  ["http_req_waiting{name:GET /}: p(95)<1s", ["http_req_waiting"]],
  ["http_req_waiting{page:home,kind:large}: p(95)<1s", ["http_req_waiting"]],
  ["http_req_waiting{scenario:a,page:home}: p(95)<1s", undefined],
  ["http_req_waiting: p(95)<1s", undefined],
  ["http_req_duration{name:GET /}: p(95)<1s", undefined],
])("%s makes workers keep all tags of %s", (threshold, kept) => {
  expect(plan(threshold).plan.keptDetails).toEqual(kept);
});
