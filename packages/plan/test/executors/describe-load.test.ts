import { expect, test } from "vitest";

import { defaultHttp } from "../../src/http-options/option-table.ts";
import { validateTest } from "../../src/definition/validate-test.ts";
import type { ValidatedScenario } from "../../src/executors/validated-scenario.ts";
import { describeLoad } from "../../src/executors/load-models.ts";
import {
  arrivals,
  constantVus,
  perVuIterations,
  rampingVus,
  sharedIterations,
} from "../test-file/tests-for-plans.ts";

const base = {
  name: "r",
  startTimeMs: 0,
  gracefulStopMs: 30_000,
  expectsNoRequests: false,
  tags: {},
  env: {},
  http: defaultHttp,
};
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
const usualVUs = { maxVUs: 10_000 };

test.for<[ValidatedScenario, string]>([
  [constantVus("r"), "5 VUs for 10 s"],
  [constantVus("r", 1), "1 VU for 10 s"],
  [{ ...constantVus("r"), startTimeMs: 5000 }, "5 VUs for 10 s, starting after 5 s"],
  [{ ...constantVus("r"), gracefulStopMs: 0, expectsNoRequests: false }, "5 VUs for 10 s, no gracefulStop"],
  [
    { ...constantVus("r"), gracefulStopMs: 500, expectsNoRequests: false },
    "5 VUs for 10 s, gracefulStop 500 ms",
  ],
  [sharedIterations("r"), "100 iterations shared by 3 VUs, in at most 1 m 0 s"],
  [perVuIterations("r", 1, 1), "1 iteration for each of 1 VU, in at most 1 m 0 s"],
  [
    { ...base, executor: "shared-iterations", vus: 2, iterations: 9, maxDurationMs: 600_000 },
    "9 iterations shared by 2 VUs",
  ],
  [arrivals("r", 7, usualVUs), "7 iterations/s for 10 s"],
  [arrivals("r", 7, { ...usualVUs, arrivals: "poisson" }), "7 iterations/s for 10 s, Poisson arrivals"],
  [
    {
      ...arrivals("r", 7, { onBusy: "queue", maxVUs: 1 }),
      startTimeMs: 90_000,
      gracefulStopMs: 1000,
      expectsNoRequests: false,
    },
    "7 iterations/s for 10 s, at most 1 VU, queued when all are busy, starting after 1 m 30 s, gracefulStop 1 s",
  ],
  [rampingVus("r"), "from 1 VU to 4 in 1 s, no gracefulRampDown"],
  [
    {
      ...base,
      executor: "ramping-vus",
      startVUs: 1,
      stages: [stage(0, 40), stage(90_000, 40)],
      gracefulRampDownMs: 0,
    },
    "from 1 VU to 40 at once, to 40 in 1 m 30 s, no gracefulRampDown",
  ],
  [
    ramp([stage(60_000, 30), stage(0, 10)]),
    "from 5 iterations per 1 m 0 s to 30 in 1 m 0 s, to 10 at once, Poisson arrivals, at most 10 VUs",
  ],
  [
    ramp([1, 9, 3, 2, 0].map((target) => stage(2000, target))),
    "from 5 iterations per 1 m 0 s up to 9 in 5 stages, 10 s in all, Poisson arrivals, at most 10 VUs",
  ],
])("%o is %s", ([scenario, words]) => {
  expect(describeLoad(scenario)).toBe(words);
});

test("options that a test leaves out are not described", () => {
  const exec = () => undefined;
  const stages = [{ duration: "1s", target: 4 }];
  const { test: valid, problems } = validateTest({
    scenarios: {
      a: { executor: "constant-vus", duration: "1s", exec },
      b: { executor: "shared-iterations", exec },
      c: { executor: "per-vu-iterations", exec },
      d: { executor: "ramping-vus", stages, exec },
      e: { executor: "constant-arrival-rate", rate: 4, duration: "1s", exec },
      f: { executor: "ramping-arrival-rate", stages, exec },
    },
  });
  expect(problems).toEqual([]);
  expect(valid?.scenarios.map(describeLoad)).toEqual([
    "1 VU for 1 s",
    "1 iteration shared by 1 VU",
    "1 iteration for each of 1 VU",
    "from 1 VU to 4 in 1 s",
    "4 iterations/s for 1 s",
    "from 0 iterations/s to 4 in 1 s",
  ]);
});
