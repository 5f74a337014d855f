import type { ThresholdResult } from "@bearhug/sdk";
import { describe, expect, test } from "vitest";

import type { Ending } from "../../../src/outcome/verdict/ending.ts";
import { saturatedGenerator } from "../../../src/outcome/verdict/saturated-generator.ts";
import { endingOf, scenarioOf } from "./ending-of.ts";

const metrics: Ending["metrics"] = {
  http_req_duration: {
    type: "trend",
    unit: "ms",
    values: { count: 1, min: 1, avg: 1, med: 1, max: 1 },
  },
  http_reqs: { type: "counter", unit: null, values: { count: 1, rate: 1 } },
  http_req_failed: { type: "rate", unit: null, values: { rate: 0, passes: 0, fails: 1 } },
};

const on = (metric: string, expression: string): ThresholdResult => ({
  metric,
  expression,
  passed: true,
  actual: 1,
  unit: null,
  samples: 1,
  window: null,
  allowEmpty: false,
  source: null,
});

function codes(changes: Partial<Ending>): number[] {
  const ending = endingOf({ metrics, scenarios: [scenarioOf({})], isGeneratorSaturated: true, ...changes });
  return saturatedGenerator(ending).map(({ code }) => code);
}

describe("a saturated generator fails", () => {
  test.each<[string, Partial<Ending>]>([
    ["a threshold on times", { thresholds: [on("http_req_duration{page:home}", "p(95)<1s")] }],
    ["one on a rate of a counter", { thresholds: [on("http_reqs", "rate>100")] }],
    ["an open model", { scenarios: [scenarioOf({ executor: "constant-arrival-rate" })] }],
    ["--strict-generator", { isStrictGenerator: true }],
    [
      "--strict-generator, also with --allow-saturated",
      { isStrictGenerator: true, judging: { allowsSaturated: true } },
    ],
  ])("a run with %s", (_, changes) => {
    expect(codes(changes)).toEqual([112]);
    expect(codes({ ...changes, isGeneratorSaturated: false })).toEqual([]);
  });

  test.each<[string, Partial<Ending>]>([
    ["a closed run that only measures", {}],
    [
      "thresholds on counts and failures",
      { thresholds: [on("http_reqs", "count>100"), on("http_req_failed", "rate<1%")] },
    ],
    [
      "--allow-saturated",
      { thresholds: [on("http_req_duration", "p(95)<1s")], judging: { allowsSaturated: true } },
    ],
    [
      "a shard, which is judged with the others",
      { scenarios: [scenarioOf({ executor: "ramping-arrival-rate" })], shard: { index: 0, count: 2 } },
    ],
    [
      "a run that a person ended",
      { interruptedBy: "SIGINT", scenarios: [scenarioOf({ executor: "constant-arrival-rate" })] },
    ],
  ])("not with %s", (_, changes) => {
    expect(codes(changes)).toEqual([]);
  });
});

test("the message says what the limit was, why, and what to do", () => {
  const generatorReasons = [
    "worker 0 was busy 99 % of the time: add workers or lower the load; latencies are upper bounds",
    "another reason",
  ];
  const [reason] = saturatedGenerator(
    endingOf({
      scenarios: [scenarioOf({ executor: "constant-arrival-rate" })],
      isGeneratorSaturated: true,
      generatorReasons,
    }),
  );
  expect(reason?.message).toBe(
    "the load generator was saturated: this machine was the limit, not the target, so its times and rates say little " +
      "(worker 0 was busy 99 % of the time: add workers or lower the load). To accept that, use --allow-saturated",
  );
  const strict = saturatedGenerator(
    endingOf({ isStrictGenerator: true, isGeneratorSaturated: true, generatorReasons }),
  );
  expect(strict[0]?.message).toMatch(
    /say little \(worker 0 was busy 99 % .*: add workers or lower the load\)$/,
  );
});
