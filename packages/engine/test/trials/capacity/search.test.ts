import { describe, expect, test } from "vitest";

import { findBounds } from "../../../src/trials/capacity/bounds.ts";
import { findAnswer } from "../../../src/trials/capacity/find-answer.ts";
import { recordLoads, type SearchTrial } from "../../../src/trials/capacity/load-records.ts";
import type { Objective } from "../../../src/trials/capacity/objective.ts";
import { triedLoads } from "../../../src/trials/capacity/load-records.ts";
import { isTargetDown } from "../../../src/trials/collapse.ts";
import {
  behindGenerator,
  busyTarget,
  failedRequests,
  limitedTarget,
  queueingTarget,
  refusingTarget,
  search,
  silentTarget,
  usualPlan,
  type Target,
} from "./simulated-targets.ts";

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

test("the capacity of a queueing server is found within 5 % of what queueing theory says", () => {
  // M/M/1: the response time exceeds x with probability exp(-(μ - λ)x), so p99 is below 50 ms up to λ = μ - ln(100)/x.
  const truth = 500 - Math.log(100) / 0.05;
  const runs = Array.from({ length: 10 }, (_, seed) => {
    const trials = search(usualPlan, queueingTarget(500, 50), seed);
    return { trials, found: findAnswer(usualPlan, trials) };
  });
  const near = runs.filter(({ found: { load } }) => Math.abs((load ?? 0) / truth - 1) <= 0.05);
  const covering = runs.filter(({ found }) => (found.low ?? 0) <= truth && (found.high ?? 0) >= truth);
  expect(near.length).toBeGreaterThanOrEqual(9);
  expect(covering.length).toBeGreaterThanOrEqual(9);
  for (const { trials, found } of runs) {
    expect(sum(trials.map(({ tookMs }) => tookMs))).toBeLessThanOrEqual(usualPlan.budgetMs);
    expect(found.answer).toBe("found");
    expect(trials.at(-1)?.purpose).toBe("confirmation");
  }
});

test("the load at which a server's CPU is used to 70 % is found within 5 %", () => {
  const cpu: Objective = {
    text: "server.cpu: avg<70%",
    metric: "server.cpu",
    judges: "mean",
    bound: 70,
    limitMs: null,
    gaugeUnit: "%",
  };
  const plan = { ...usualPlan, objectives: [cpu] };
  const found = Array.from({ length: 10 }, (_, seed) =>
    findAnswer(plan, search(plan, busyTarget(500), seed)),
  );
  const near = found.filter(({ load }) => Math.abs((load ?? 0) / 350 - 1) <= 0.05);
  const covering = found.filter(({ low, high }) => (low ?? 0) <= 350 && (high ?? 0) >= 350);
  expect(near.length).toBeGreaterThanOrEqual(9);
  expect(covering.length).toBeGreaterThanOrEqual(9);
});

test("the same trials lead to the same next step", () => {
  const target = queueingTarget(500, 50);
  const loads = (seed: number): number[] => search(usualPlan, target, seed).map(({ load }) => load);
  expect(loads(3)).toEqual(loads(3));
  expect(loads(4)).not.toEqual(loads(3));
});

test("the limit of a rate limiter is found between what it allows and what it refuses", () => {
  const plan = { ...usualPlan, objectives: [failedRequests], firstLoad: 4000 };
  const found = findAnswer(plan, search(plan, limitedTarget(200)));
  // 1 % of 202 a second may fail.
  expect(found.answer).toBe("found");
  expect(found.load).toBeGreaterThan(194);
  expect(found.load).toBeLessThanOrEqual(203);
  expect(found.confirmed).toBe("PASS");
});

test("a budget of 40 s is enough to find the capacity of a server that handles 8 requests at a time", () => {
  const plan = { ...usualPlan, objectives: [failedRequests], firstLoad: 50, budgetMs: 40_000 };
  // Erlang's loss formula: at an offered load of 3.128 concurrent requests, 1 % of requests are refused.
  const truth = (3.128 * 1000) / 20;
  const found = findAnswer(plan, search(plan, refusingTarget(8, 20)));
  expect(found.answer).toBe("found");
  expect(Math.abs((found.load ?? 0) / truth - 1)).toBeLessThan(0.1);
  expect(found.low).toBeLessThan(truth);
  expect(found.high).toBeGreaterThan(truth);
});

test("a target that never answers is left alone after two trials at the lowest load", () => {
  const trials = search({ ...usualPlan, firstLoad: 1 }, silentTarget(5000));
  expect(trials.map(({ load }) => load)).toEqual([1, 1]);
  expect(findAnswer(usualPlan, trials)).toMatchObject({ answer: "undecided", load: null });
});

test("objectives that are met at the highest load allowed leave the capacity open", () => {
  const plan = { ...usualPlan, mostLoad: 300, firstLoad: 200 };
  expect(findAnswer(plan, search(plan, queueingTarget(500, 50)))).toEqual({
    answer: "met-at-highest",
    load: 300,
    low: 300,
    high: null,
    confirmed: null,
  });
});

test("objectives that are violated at the lowest load allowed are reported as such", () => {
  const plan = { ...usualPlan, leastLoad: 480, firstLoad: 480 };
  const found = findAnswer(plan, search(plan, queueingTarget(500, 50)));
  expect(found).toMatchObject({ answer: "not-met-at-lowest", load: 480, low: null, high: 480 });
});

test("a generator that gives out is not reported as the target's limit", () => {
  const target = behindGenerator(queueingTarget(5000, 50), 1200);
  const found = findAnswer(usualPlan, search(usualPlan, target));
  expect(found.answer).toBe("generator-limited");
  expect(found.load).toBeGreaterThan(1000);
  expect(found.load).toBeLessThanOrEqual(1200);
});

test("a load with too few virtual users meets no objective", () => {
  const found = findAnswer(
    usualPlan,
    search(usualPlan, (step, random) => ({
      ...queueingTarget(50_000, 50)(step, random),
      isOverrun: step.load > 1000,
    })),
  );
  expect(found.answer).toBe("found");
  expect(found.load).toBeGreaterThan(900);
  expect(found.load).toBeLessThanOrEqual(1000);
});

test("a load at which the generator gave out once, by chance, is tried again", () => {
  const target = queueingTarget(60, 500);
  let calls = 0;
  const plan = { ...usualPlan, firstLoad: 40, budgetMs: 120_000 };
  const trials = search(plan, (step, random) => ({
    ...target(step, random),
    isGeneratorLimited: calls++ === 0,
  }));
  expect(trials.slice(0, 3).map(({ load }) => load)).toEqual([40, 20, 40]);
  expect(Math.max(...trials.map(({ load }) => load))).toBeGreaterThan(45);
});

test("a load between the bounds at which the generator gives out is not tried forever", () => {
  const target = queueingTarget(500, 50);
  const plan = { ...usualPlan, firstLoad: 250 };
  const trials = search(plan, (step, random) => ({
    ...target(step, random),
    isGeneratorLimited: step.load > 300 && step.load < 470,
  }));
  const found = findAnswer(plan, trials);
  expect(trials.filter(({ isGeneratorLimited }) => isGeneratorLimited).length).toBeLessThanOrEqual(4);
  expect(found).toMatchObject({ answer: "generator-limited", load: found.low });
  expect(found.load).toBeLessThanOrEqual(300);
});

test("a trial with a saturated generator does not set a bound, whatever its requests look like", () => {
  const plan = { ...usualPlan, budgetMs: 120_000 };
  const trials = search(plan, queueingTarget(500, 50));
  const shape = {
    purpose: "search",
    measuredMs: 5000,
    tookMs: 0,
    goodLoad: 100,
    isGeneratorLimited: true,
  } as const;
  const violating = [{ samples: 5000, total: 5000, slow: 1000 }];
  const met = [{ samples: 5000, total: 0, slow: 1000 }];
  const saturated = [
    { ...shape, load: 100, batches: [Array(5).fill(violating).flat()] },
    { ...shape, load: 900, batches: [Array(5).fill(met).flat()] },
  ];
  expect(findAnswer(plan, [...trials, ...saturated])).toEqual(findAnswer(plan, trials));
});

test("a budget that is too short for the target leaves the capacity undecided", () => {
  const plan = { ...usualPlan, budgetMs: 30_000, firstLoad: 20 };
  const found = findAnswer(plan, search(plan, queueingTarget(20, 1000)));
  expect(found.answer).toBe("undecided");
});

test("virtual users are tried in whole numbers", () => {
  const plan = { ...usualPlan, isWhole: true, firstLoad: 1, budgetMs: 120_000 };
  const loads = search(plan, queueingTarget(60, 500)).map(({ load }) => load);
  expect(loads.length).toBeGreaterThan(3);
  expect(loads.every(Number.isInteger)).toBe(true);
});

describe("a target that goes down during the search", () => {
  const plan = { ...usualPlan, objectives: [failedRequests], firstLoad: 50, atLeast: 50, budgetMs: 60_000 };
  const allowing = limitedTarget(400);

  /** Returns a target that is down from `afterMs` until `againMs`. */
  const dyingTarget = (afterMs: number, againMs = Number.POSITIVE_INFINITY): Target => {
    let elapsedMs = 0;
    return (step, random) => {
      const isUp = elapsedMs < afterMs || elapsedMs >= againMs;
      const trial = isUp ? allowing(step, random) : silentTarget(0)(step, random);
      elapsedMs += trial.tookMs;
      return trial;
    };
  };

  test.each([4000, 10_000, 20_000])("has no capacity if it goes down after %i ms", (afterMs) => {
    const trials = search(plan, dyingTarget(afterMs));
    const lowest = Math.min(...trials.filter(({ goodLoad }) => goodLoad > 0).map(({ load }) => load));
    expect(trials.at(-1)).toMatchObject({ load: lowest, goodLoad: 0 });
    expect(isTargetDown(triedLoads(trials))).toBe(true);
    expect(findAnswer(plan, trials)).toMatchObject({ answer: "undecided", load: null, low: null });
  });

  test("is tried again at the lowest load, and the search goes on if it serves that", () => {
    const trials = search(plan, dyingTarget(10_000, 15_000));
    const fallen = trials.findIndex(({ goodLoad }) => goodLoad === 0);
    expect(trials[fallen + 1]).toMatchObject({ load: 50, goodLoad: 50 });
    expect(trials.length).toBeGreaterThan(fallen + 3);
    expect(isTargetDown(triedLoads(trials))).toBe(false);
  });
});

test("the required load is proven to be met before the limit is narrowed down", () => {
  const plan = { ...usualPlan, firstLoad: 200.123, atLeast: 200.123, budgetMs: 120_000 };
  const passed = Array.from({ length: 10 }, (_, seed) => {
    const records = recordLoads(plan.objectives, search(plan, queueingTarget(500, 50), seed));
    return findBounds(records).passed ?? 0;
  }).filter((load) => load >= plan.atLeast);
  expect(passed.length).toBeGreaterThanOrEqual(9);
});

test("an estimate needs a load that clearly met the objectives", () => {
  const batch = (samples: number, total: number) => ({ samples, total, slow: total });
  const trial = (load: number, batches: ReturnType<typeof batch>[]): SearchTrial => ({
    load,
    purpose: "search",
    measuredMs: 3000,
    tookMs: 5000,
    goodLoad: load,
    isGeneratorLimited: false,
    batches: [batches],
  });
  const plan = { ...usualPlan, objectives: [failedRequests] };
  const few = [50, 40, 60].map((samples) => batch(samples, 0));
  const failing = [50, 60, 50].map((samples) => batch(samples, samples));
  expect(findAnswer(plan, [trial(95, few), trial(105, failing)]).answer).toBe("undecided");
});

test("a limit that only a strained generator saw is reported as the generator's", () => {
  const target = queueingTarget(500, 50);
  const strainedFrom = (load: number) => (seed: number) =>
    findAnswer(
      usualPlan,
      search(
        usualPlan,
        (step, random) => ({ ...target(step, random), isGeneratorStrained: step.load >= load }),
        seed,
      ),
    ).answer;
  expect(strainedFrom(300)(1)).toBe("generator-limited");
  expect(strainedFrom(450)(1)).toBe("found");
});

test("the search uses its whole budget while the answer is open", () => {
  for (const budgetMs of [20_000, 30_000, 45_000]) {
    const plan = { ...usualPlan, objectives: [failedRequests], firstLoad: 333, budgetMs };
    const trials = search(plan, limitedTarget(100_000));
    expect(findAnswer(plan, trials).answer).toBe("undecided");
    // A trial takes 5.7 s at least.
    expect(budgetMs - sum(trials.map(({ tookMs }) => tookMs))).toBeLessThan(5700);
  }
  const once = search({ ...usualPlan, leastLoad: 40, firstLoad: 40 }, (step, random) => ({
    ...limitedTarget(200)(step, random),
    isGeneratorLimited: true,
  }));
  expect(once.map(({ load }) => load)).toEqual([40, 40]);
});
