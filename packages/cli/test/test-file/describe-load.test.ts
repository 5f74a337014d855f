import type { ValidatedScenario } from "@bearhug/sdk";
import { expect, test } from "vitest";

import { describeLoad } from "../../src/test-file/describe-load.ts";
import { arrivals, constantVus, perVuIterations, rampingVus, sharedIterations } from "./tests-for-plans.ts";

const base = { name: "r", startTimeMs: 0, gracefulStopMs: 0, tags: {}, env: {} };
const stage = (durationMs: number, target: number) => ({ durationMs, target });
const ramp = (stages: readonly { durationMs: number; target: number }[]): ValidatedScenario => ({
  ...base,
  executor: "ramping-arrival-rate",
  startRate: 5,
  stages: [...stages],
  timeUnitMs: 60_000,
  preAllocatedVUs: 0,
  maxVUs: 10,
  arrivals: "poisson",
  onBusy: "drop",
});

test.for<[ValidatedScenario, string]>([
  [constantVus("r"), "5 VUs for 10 s"],
  [constantVus("r", 1), "1 VU for 10 s"],
  [sharedIterations("r"), "100 iterations shared by 3 VUs"],
  [perVuIterations("r", 1, 1), "1 iteration for each of 1 VU"],
  [arrivals("r"), "7 iterations/s for 10 s"],
  [arrivals("r", 7, { arrivals: "poisson" }), "7 iterations/s for 10 s, Poisson arrivals"],
  [rampingVus("r"), "from 1 VU to 4 in 1 s"],
  [
    ramp([stage(60_000, 30), stage(0, 10)]),
    "from 5 iterations per 1 m 0 s to 30 in 1 m 0 s, to 10 in 0 ms, Poisson arrivals",
  ],
  [
    ramp([1, 9, 3, 2, 0].map((target) => stage(2000, target))),
    "from 5 iterations per 1 m 0 s up to 9 in 5 stages, 10 s in all, Poisson arrivals",
  ],
])("%o is %s", ([scenario, words]) => {
  expect(describeLoad(scenario)).toBe(words);
});
