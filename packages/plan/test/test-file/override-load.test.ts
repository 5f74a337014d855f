import { describe, expect, test } from "vitest";

import { makePlan } from "../../src/test-file/make-plan.ts";
import type { WrittenOptions } from "../../src/test-file/run-options.ts";
import {
  arrivals,
  constantVus,
  optionsOf,
  perVuIterations,
  plan,
  problemsOf,
  rampingArrivals,
  rampingVus,
  sharedIterations,
  testOf,
} from "./tests-for-plans.ts";

test.each([
  [5000, 5000],
  [60_000, 30_000],
  [null, 30_000],
])("a run that may wait for %s ms after its load cuts a graceful stop of 30 s to %s ms", (longest, stop) => {
  const options = { ...optionsOf(), maxGracefulStopMs: longest };
  const surroundings = { environment: {}, cores: 4, fallbackName: "a file", clients: [] };
  const planned = makePlan(testOf([constantVus("r")]), options, surroundings);
  expect(planned.plan.scenarios[0]?.scenario.gracefulStopMs).toBe(stop);
});

describe("the load given on the command line", () => {
  const only = (written: WrittenOptions, scenario = constantVus("r")) =>
    plan(testOf([scenario]), written).plan.scenarios[0]?.scenario;

  test.each([
    { vus: "9" },
    { duration: "2s" },
    { iterations: "5" },
    { rate: "5/s" },
  ] satisfies WrittenOptions[])("keeps failures expected if the test expects them: %j", (written) => {
    for (const scenario of [constantVus("r"), sharedIterations("r")])
      expect(only({ duration: "3s", ...written }, { ...scenario, expectsFailures: true })).toMatchObject({
        expectsFailures: true,
      });
  });

  test.each([
    {
      from: constantVus("r"),
      written: { vus: "9" },
      to: { executor: "constant-vus", vus: 9, durationMs: 10_000 },
    },
    {
      from: constantVus("r"),
      written: { duration: "2s" },
      to: { executor: "constant-vus", vus: 5, durationMs: 2000 },
    },
    {
      from: constantVus("r"),
      written: { iterations: "1001", vus: "7" },
      to: { executor: "shared-iterations", vus: 7, iterations: 1001, maxDurationMs: 600_000 },
    },
    {
      from: sharedIterations("r"),
      written: { vus: "9" },
      to: { executor: "shared-iterations", vus: 9, iterations: 100 },
    },
    {
      from: sharedIterations("r"),
      written: { duration: "2s" },
      to: { executor: "constant-vus", vus: 3, durationMs: 2000 },
    },
    {
      from: sharedIterations("r"),
      written: { duration: "2s", iterations: "5" },
      to: { executor: "shared-iterations", iterations: 5, maxDurationMs: 2000 },
    },
    {
      from: arrivals("r"),
      written: { duration: "2s" },
      to: { executor: "constant-arrival-rate", rate: 7, durationMs: 2000 },
    },
  ])("turns $from.executor with $written into $to", ({ from, written, to }) => {
    expect(only(written, from)).toMatchObject({
      ...to,
      name: "r",
      gracefulStopMs: 30_000,
      expectsNoRequests: false,
    });
  });

  test.each([
    {
      written: { vus: "9", duration: "2s" },
      to: { executor: "constant-vus", vus: 9, durationMs: 2000 },
    },
    {
      written: { iterations: "5" },
      to: { executor: "shared-iterations", vus: 1, iterations: 5, maxDurationMs: 600_000 },
    },
    {
      written: { iterations: "5", vus: "2", duration: "3s" },
      to: { executor: "shared-iterations", vus: 2, iterations: 5, maxDurationMs: 3000 },
    },
  ])("turns a ramp with $written into a plain load: $to", ({ written, to }) => {
    expect(only(written, rampingVus("r"))).toMatchObject({
      ...to,
      name: "r",
      gracefulStopMs: 30_000,
      expectsNoRequests: false,
    });
  });

  test("changes iterations per VU, which stay per VU", () => {
    const written = { vus: "4", iterations: "6", duration: "5s" };
    const to = { executor: "per-vu-iterations", vus: 4, iterations: 6, maxDurationMs: 5000 };
    expect(only(written, perVuIterations("r", 1, 1))).toMatchObject(to);
  });

  test.each([
    [
      { vus: "3" },
      "--vus: scenario r ramps in stages; to run it with a constant load instead, add --duration.",
    ],
    [
      { duration: "3s" },
      "--duration: scenario r ramps in stages; to run it with a constant load instead, add --vus.",
    ],
  ])("%o alone is refused for a ramp", (written, problem) => {
    expect(problemsOf(testOf([rampingVus("r")]), written)).toEqual([problem]);
  });

  test("does not fit a ramping arrival rate, and each option is refused separately", () => {
    const written = { vus: "3", iterations: "3", duration: "3s" };
    const problems = problemsOf(testOf([rampingArrivals("r")]), written);
    expect(problems).toHaveLength(3);
    for (const flag of ["--vus", "--iterations", "--duration"])
      expect(problems.some((problem) => problem.startsWith(`${flag}: scenario r `))).toBe(true);
  });

  test.each([{ vus: "3" }, { iterations: "3" }])("%o does not fit an arrival rate", (written) => {
    expect(problemsOf(testOf([arrivals("r")]), written)).toHaveLength(1);
  });

  test.each([
    {
      from: constantVus("r"),
      written: { rate: "30k/m" },
      to: { rate: 30_000, timeUnitMs: 60_000, durationMs: 10_000, maxVUs: 10_000, preAllocatedVUs: 0 },
    },
    {
      from: constantVus("r"),
      written: { rate: "500", vus: "7", duration: "3s", arrivals: "poisson" },
      to: { rate: 500, timeUnitMs: 1000, durationMs: 3000, maxVUs: 7, arrivals: "poisson", onBusy: "drop" },
    },
    {
      from: constantVus("r"),
      written: { rate: "40/s", iterations: "100" },
      to: { rate: 40, durationMs: 2500 },
    },
    {
      from: constantVus("r"),
      written: { rate: "40/s", iterations: "100", duration: "2s" },
      to: { rate: 40, durationMs: 2000 },
    },
    {
      from: sharedIterations("r"),
      written: { rate: "5", duration: "3s" },
      to: { rate: 5, durationMs: 3000 },
    },
    {
      from: rampingVus("r"),
      written: { rate: "5", duration: "3s" },
      to: { rate: 5, durationMs: 3000 },
    },
    {
      from: rampingArrivals("r"),
      written: { rate: "5", duration: "3s" },
      to: { rate: 5, durationMs: 3000, maxVUs: 100, preAllocatedVUs: 1 },
    },
    {
      from: arrivals("r", 7, { arrivals: "poisson", onBusy: "queue" }),
      written: { rate: "0.5/s" },
      to: { rate: 0.5, durationMs: 10_000, maxVUs: 100, arrivals: "poisson", onBusy: "queue" },
    },
    {
      from: arrivals("r", 7, { arrivals: "poisson" }),
      written: { arrivals: "uniform" },
      to: { rate: 7, arrivals: "uniform" },
    },
  ])("turns $from.executor with $written into arrivals: $to", ({ from, written, to }) => {
    const kept = { name: "r", gracefulStopMs: 30_000, expectsNoRequests: false };
    expect(only(written, from)).toMatchObject({ ...kept, executor: "constant-arrival-rate", ...to });
  });

  test.each([sharedIterations("r"), perVuIterations("r", 1, 1), rampingVus("r"), rampingArrivals("r")])(
    "needs a duration beside a rate for $executor",
    (scenario) => {
      expect(problemsOf(testOf([scenario]), { rate: "5" })).toEqual([
        "--rate: scenario r has no duration of its own; add --duration.",
      ]);
    },
  );

  test("is refused if it spaces arrivals without a rate", () => {
    expect(problemsOf(testOf([constantVus("r")]), { arrivals: "poisson" })).toEqual([
      "--arrivals: scenario r has no arrival rate; set one with --rate.",
    ]);
  });

  test("is refused, with its flags named, if there are several scenarios", () => {
    const two = testOf([constantVus("a"), constantVus("b")]);
    expect(problemsOf(two, { rate: "5", duration: "1s" })).toEqual([
      "--duration, --rate: the test has 2 scenarios. Select one, such as with --scenario a.",
    ]);
  });

  test("applies to the selected scenario, which runs alone", () => {
    const two = testOf([constantVus("a"), sharedIterations("b")]);
    const { scenarios } = plan(two, { scenario: ["b"], iterations: "3" }).plan;
    expect(scenarios).toMatchObject([{ scenario: { name: "b", iterations: 3 } }]);
  });
});
