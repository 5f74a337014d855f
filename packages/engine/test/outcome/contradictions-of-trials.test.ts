import type { TestResult } from "@bearhug/sdk";
import type { SweepResult } from "@bearhug/sdk/result";
import { describe, expect, test } from "vitest";

import { wrongOverload } from "../../src/outcome/contradictions/find-contradictions.ts";
import { wrongTrials } from "../../src/outcome/contradictions/trials.ts";
import { wrongVariants } from "../../src/outcome/contradictions/variants.ts";
import { foundCapacity } from "../../../report/test/found-capacity.ts";
import { shed } from "../../../report/test/html/exceeded-result.ts";
import { resultOf } from "../../../report/test/result-of.ts";
import { varied } from "../../../report/test/varied-result.ts";
import { trialOf } from "../trials/trial-of.ts";

const shop: SweepResult["targets"][number] = {
  name: "shop",
  address: null,
  ending: "complete",
  scalability: null,
  steps: [1, 2, 4].map((load) => trialOf(load, 20)),
  knee: { state: "not-reached", load: null },
};
const sweep: SweepResult = {
  loadUnit: "vus",
  loads: [1, 2, 4],
  conditions: {},
  settleMs: 0,
  measureMs: 1000,
  targets: [shop],
  described: { target: "shop", load: 4, exitCode: 0, messages: [] },
};

const toLines = (found: ReturnType<typeof wrongTrials>): string[] =>
  found.map(({ path, message }) => `${path} ${message}`);
const inSweep = (changes: Partial<SweepResult>): string[] =>
  toLines(wrongTrials({ ...resultOf({}), sweep: { ...sweep, ...changes } }));

describe("a sweep", () => {
  test("that was measured has no contradictions", () => {
    expect(inSweep({})).toEqual([]);
  });

  test("describes one of its steps, and its steps are among its loads", () => {
    expect(inSweep({ described: { target: "shop", load: 8, exitCode: 0, messages: [] } })).toEqual([
      "sweep.described is no step of the sweep",
    ]);
    expect(inSweep({ loads: [1, 2] })).toEqual([
      "sweep.targets[0].steps[2].load is 4, which is none of sweep.loads",
    ]);
  });

  test("has steps in rising order, and targets with different names", () => {
    const turned = { ...shop, steps: shop.steps.toReversed() };
    expect(inSweep({ targets: [shop, turned] })).toEqual([
      'sweep.targets[1].name is "shop", as that of another target',
      "sweep.targets[1].steps[1].load is 2, but the steps rise from load to load",
      "sweep.targets[1].steps[2].load is 1, but the steps rise from load to load",
    ]);
  });

  test("has a load for a knee that was found, and a fit of no more steps than were measured", () => {
    const scalability = { lambda: 1, sigma: 0, kappa: 0, peak: null, worstError: 0, steps: 9 };
    expect(inSweep({ targets: [{ ...shop, knee: { state: "found", load: null }, scalability }] })).toEqual([
      'sweep.targets[0].knee.load is null, but the knee is "found"',
      "sweep.targets[0].scalability.steps is 9, but 3 steps were measured",
    ]);
  });

  test("has percentiles that rise, and no more successes than requests", () => {
    const times = { avg: 1, p50: 9, p90: 2, p95: 2, p99: 2, max: 2, confidence: {}, lowerBoundFrom: null };
    const steps = [trialOf(1, 20, { times, goodRate: 99 })];
    expect(inSweep({ targets: [{ ...shop, steps }], described: null })).toEqual([
      "sweep.targets[0].steps[0].times.p50 is above the percentile after it",
      "sweep.targets[0].steps[0].goodRate is 99, but by the rate and the share of failures it is 50",
    ]);
  });

  test("has rates that follow from counts, and intervals that end after they begin", () => {
    const [step] = shop.steps;
    if (!step?.times) throw new Error("the step has no times");
    const times = { ...step.times, confidence: { p50: [9, 3] as const } };
    const steps = [{ ...step, count: step.count * 2, times }];
    expect(inSweep({ targets: [{ ...shop, steps }], described: null })).toEqual([
      `sweep.targets[0].steps[0].rate is ${step.rate}, but by count and rateMs it is ${step.rate * 2}`,
      "sweep.targets[0].steps[0].times.confidence.p50 begins at 9, above its end, 3",
    ]);
  });
});

describe("a search for the capacity", () => {
  const inSearch = (changes: Partial<NonNullable<TestResult["capacity"]>>): string[] =>
    toLines(wrongTrials({ ...foundCapacity, capacity: { ...foundCapacity.capacity, ...changes } }));

  test("that was carried out has no contradictions", () => {
    expect(inSearch({})).toEqual([]);
  });

  test("has a load if the answer is found, and an interval in the right order", () => {
    expect(inSearch({ answer: "found", load: null, low: 9, high: 5 })).toEqual([
      "capacity.low is 9, above capacity.high, 5",
      'capacity.load is null, but the answer is "found"',
    ]);
  });
});

test("a reading of a search lies in its interval, if there is one", () => {
  const [trial, ...others] = foundCapacity.capacity.trials;
  if (trial === undefined) throw new Error("the search has no trial");
  const [, second = null] = trial.readings;
  const readings = [{ verdict: "FAIL", value: 0.5, low: 0.6, high: 0.7 } as const, second];
  const contradictionsOf = (changes: Partial<typeof trial>): string[] => {
    const capacity = { ...foundCapacity.capacity, trials: [{ ...trial, ...changes }, ...others] };
    return toLines(wrongTrials({ ...foundCapacity, capacity }));
  };
  expect(contradictionsOf({ readings })).toEqual([
    "capacity.trials[0].readings[0] is 0.5, outside of its interval from 0.6 to 0.7",
  ]);
  expect(contradictionsOf({ readings: [null, second] })).toEqual([]);
});

test("each objective is read in each trial, except where the load generator was saturated", () => {
  const [trial, ...others] = foundCapacity.capacity.trials;
  if (trial === undefined) throw new Error("the search has no trial");
  const contradictionsIf = (isGeneratorLimited: boolean): string[] => {
    const trials = [{ ...trial, isGeneratorLimited, readings: [] }, ...others];
    return toLines(wrongTrials({ ...foundCapacity, capacity: { ...foundCapacity.capacity, trials } }));
  };
  expect(contradictionsIf(true)).toEqual([]);
  expect(contradictionsIf(false)).toEqual([
    "capacity.trials[0].readings has 0 entries, but there are 2 objectives",
  ]);
});

test("the phases of an overload have the rates of their intervals", () => {
  expect(wrongOverload(resultOf({ overload: shed }))).toEqual([]);
  const [base, past, recovery] = shed.phases;
  if (base === undefined || past === undefined || recovery === undefined)
    throw new Error("a phase is missing");
  const phases = [base, { ...past, goodput: 1 }, { ...recovery, name: "base" } as const];
  expect(toLines(wrongOverload(resultOf({ overload: { ...shed, phases } })))).toEqual([
    `overload.phases[1].goodput is 1, but by overload.intervals it is ${past.goodput}`,
    'overload.phases[2].name is "base", but this phase is "recovery"',
  ]);
});

test("variants have no contradictions, different names, and differences from the first", () => {
  expect(wrongVariants(varied)).toEqual([]);
  const section = varied.variants;
  const [first] = section?.variants ?? [];
  if (section === undefined || first === undefined) throw new Error("the result has no variants");
  const twice = { ...section, variants: [{ ...first, failures: first.requests + 1 }, first] };
  expect(toLines(wrongVariants({ ...varied, variants: twice }))).toEqual([
    `variants.variants[0].failures is ${first.requests + 1}, but there were ${first.requests} requests`,
    `variants.variants[1].name is "${first.name}", as that of another variant`,
    "variants.variants[1].differences is null, but it is compared with the first",
  ]);
});
