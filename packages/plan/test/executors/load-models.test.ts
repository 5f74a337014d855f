import { expect, test } from "vitest";

import { defaultHttp } from "../../src/http-options/option-table.ts";
import type { ValidatedScenario } from "../../src/executors/validated-scenario.ts";
import {
  activeMs,
  isTimed,
  latestEndMs,
  loadOverTime,
  peakVus,
  startsNothing,
} from "../../src/executors/load-models.ts";
import {
  arrivals,
  constantVus,
  perVuIterations,
  rampingArrivals,
  rampingVus,
  sharedIterations,
} from "../test-file/tests-for-plans.ts";

const base = {
  name: "s",
  startTimeMs: 5000,
  gracefulStopMs: 30_000,
  expectsNoRequests: false,
  tags: {},
  env: {},
  http: defaultHttp,
};
const open = {
  timeUnitMs: 1000,
  preAllocatedVUs: 20,
  maxVUs: 200,
  arrivals: "uniform" as const,
  onBusy: "drop" as const,
};
const stages = [
  { durationMs: 10_000, target: 50 },
  { durationMs: 20_000, target: 5 },
];

const table: { scenario: ValidatedScenario; active: number; vus: number }[] = [
  { scenario: { ...base, executor: "constant-vus", vus: 3, durationMs: 700 }, active: 700, vus: 3 },
  {
    scenario: { ...base, executor: "shared-iterations", vus: 4, iterations: 9, maxDurationMs: 600_000 },
    active: 600_000,
    vus: 4,
  },
  {
    scenario: { ...base, executor: "per-vu-iterations", vus: 4, iterations: 9, maxDurationMs: 900 },
    active: 900,
    vus: 4,
  },
  {
    scenario: { ...base, ...open, executor: "constant-arrival-rate", rate: 5, durationMs: 1234 },
    active: 1234,
    vus: 200,
  },
  {
    scenario: { ...base, ...open, executor: "ramping-arrival-rate", startRate: 5, stages },
    active: 30_000,
    vus: 200,
  },
  {
    scenario: { ...base, executor: "ramping-vus", startVUs: 60, stages, gracefulRampDownMs: 0 },
    active: 30_000,
    vus: 60,
  },
];

test.each(table)("$scenario.executor starts iterations for $active ms on at most $vus VUs", (row) => {
  expect(activeMs(row.scenario)).toBe(row.active);
  expect(peakVus(row.scenario)).toBe(row.vus);
  expect(latestEndMs(row.scenario)).toBe(5000 + row.active + 30_000);
});

test("scenarios that count their iterations are not timed, all others are", () => {
  const untimed = table.filter(({ scenario }) => !isTimed(scenario)).map(({ scenario }) => scenario.executor);
  expect(untimed).toEqual(["shared-iterations", "per-vu-iterations"]);
});

test("each executor's load begins at its start, in virtual users or iterations per second", () => {
  const late = { startTimeMs: 500 };
  expect(loadOverTime({ ...constantVus("a", 5), ...late })).toEqual([
    { atMs: 500, load: 5 },
    { atMs: 10_500, load: 5 },
  ]);
  expect(loadOverTime(sharedIterations("a", 2, 3)).map(({ load }) => load)).toEqual([2, 2]);
  expect(loadOverTime(perVuIterations("a", 4, 1)).map(({ load }) => load)).toEqual([4, 4]);
  expect(loadOverTime({ ...rampingVus("a"), ...late })).toEqual([
    { atMs: 500, load: 1 },
    { atMs: 1500, load: 4 },
  ]);
  const perMinute = { timeUnitMs: 60_000 };
  const steady = arrivals("a", 120);
  const rising = rampingArrivals("a");
  if (steady.executor !== "constant-arrival-rate" || rising.executor !== "ramping-arrival-rate")
    throw new TypeError("other executors were asked for");
  expect(loadOverTime({ ...steady, ...perMinute })[1]).toEqual({ atMs: 10_000, load: 2 });
  expect(loadOverTime({ ...rising, ...perMinute })[1]).toEqual({ atMs: 1000, load: 4 / 60 });
});

const ramp = (
  startVUs: number,
  ...targets: readonly [durationMs: number, target: number][]
): ValidatedScenario => ({
  ...base,
  executor: "ramping-vus",
  startVUs,
  stages: targets.map(([durationMs, target]) => ({ durationMs, target })),
  gracefulRampDownMs: 0,
});
const rateRamp = (
  startRate: number,
  target: number,
  kind: "uniform" | "poisson" = "uniform",
): ValidatedScenario => ({
  ...base,
  ...open,
  executor: "ramping-arrival-rate",
  startRate,
  stages: [{ durationMs: 1000, target }],
  arrivals: kind,
});

test.each([
  { what: "a ramp from 0 to 0", scenario: ramp(0, [1000, 0]), isIdle: true },
  { what: "a ramp that reaches 1 VU at its end", scenario: ramp(0, [1000, 1]), isIdle: true },
  { what: "a ramp that jumps at its end", scenario: ramp(0, [1000, 0], [0, 9]), isIdle: true },
  { what: "a ramp that reaches its first VU before its end", scenario: ramp(0, [1000, 2]), isIdle: false },
  { what: "a ramp down to 0", scenario: ramp(1, [1000, 0]), isIdle: false },
  { what: "a rate of 0", scenario: rateRamp(0, 0), isIdle: true },
  { what: "a random rate of 0", scenario: rateRamp(0, 0, "poisson"), isIdle: true },
  { what: "half an arrival", scenario: rateRamp(0, 1), isIdle: true },
  { what: "half a random arrival", scenario: rateRamp(0, 1, "poisson"), isIdle: false },
  { what: "one arrival", scenario: rateRamp(0, 2), isIdle: false },
  { what: "a constant load", scenario: constantVus("a"), isIdle: false },
])("$what starts nothing: $isIdle", ({ scenario, isIdle }) => {
  expect(startsNothing(scenario)).toBe(isIdle);
});
