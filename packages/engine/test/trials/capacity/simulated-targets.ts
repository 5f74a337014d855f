import { randomSource, type RandomSource } from "@bearhug/plan/pacing/random-source";

import type { SearchTrial } from "../../../src/trials/capacity/load-records.ts";
import { nextStep, type SearchPlan, type TrialStep } from "../../../src/trials/capacity/next-step.ts";
import type { Batch, Objective } from "../../../src/trials/capacity/objective.ts";

/** A target in simulated time; each call is one trial. */
export type Target = (step: TrialStep, random: RandomSource) => Omit<SearchTrial, "load" | "purpose">;

/** The time to start and to end a run, in addition to its load. */
const startMs = 600;

/**
 * Returns a server with exponential service times, first come, first served (M/M/1), by Lindley's recursion.
 */
export function queueingTarget(servedPerSecond: number, limitMs: number): Target {
  return ({ load, settleMs, measureMs }, random) => {
    const exponential = (rate: number): number => -Math.log(1 - random()) / rate;
    const [limit, end] = [limitMs / 1000, measureMs / 1000];
    const ended: { readonly at: number; readonly took: number }[] = [];
    let [now, took, last] = [-settleMs / 1000, 0, 0];
    for (;;) {
      const gap = exponential(load);
      now += gap;
      if (now >= end) break;
      took = Math.max(0, took - gap) + exponential(servedPerSecond);
      last = now + took;
      if (now >= 0) ended.push({ at: last, took });
    }
    const seconds = Math.ceil(Math.max(last, end));
    const sorted = Float64Array.from(ended, (request) => request.took).sort();
    const slowFrom = sorted[Math.floor(sorted.length * 0.8)] ?? 0;
    const batches = emptyBatches(seconds);
    for (const { at, took: time } of ended) {
      const batch = batches[Math.min(seconds - 1, Math.floor(at))];
      if (batch === undefined) continue;
      batch.samples += 1;
      if (time > limit) batch.total += 1;
      if (time > slowFrom) batch.slow += 1;
    }
    return {
      batches: [batches],
      measuredMs: measureMs,
      tookMs: startMs + settleMs + Math.max(last, end) * 1000,
      goodLoad: ended.length / Math.max(last, end),
      isGeneratorLimited: false,
    };
  };
}

/**
 * Returns a monitored server whose CPU use grows with the load until it is used up, with a few percent of
 * noise.
 */
export function busyTarget(mostPerSecond: number): Target {
  return ({ load, settleMs, measureMs }, random) => {
    const cpu = (): number => Math.min(100, (100 * load) / mostPerSecond) * (0.96 + 0.08 * random());
    return {
      batches: [emptyBatches(measureMs / 1000).map((batch) => ({ ...batch, samples: 1, total: cpu() }))],
      measuredMs: measureMs,
      tookMs: startMs + settleMs + measureMs,
      goodLoad: Math.min(load, mostPerSecond),
      isGeneratorLimited: false,
    };
  };
}

/** Returns a target that refuses every request above `allowedPerSecond`. */
export function limitedTarget(allowedPerSecond: number): Target {
  return ({ load, settleMs, measureMs }) => {
    const batches = emptyBatches(measureMs / 1000).map((batch) => ({
      ...batch,
      samples: Math.round(load),
      total: Math.max(0, Math.round(load - allowedPerSecond)),
    }));
    return {
      batches: [batches],
      measuredMs: measureMs,
      tookMs: startMs + settleMs + measureMs,
      goodLoad: Math.min(load, allowedPerSecond),
      isGeneratorLimited: false,
    };
  };
}

/**
 * Returns a server with `atOnce` slots and exponential service times, which refuses requests if all are busy
 * (M/M/c/c).
 */
export function refusingTarget(atOnce: number, serviceMs: number): Target {
  return ({ load, settleMs, measureMs }, random) => {
    const exponential = (mean: number): number => -Math.log(1 - random()) * mean;
    const batches = emptyBatches(measureMs / 1000);
    let busyUntil: number[] = [];
    for (let now = -settleMs; ;) {
      now += exponential(1000 / load);
      if (now >= measureMs) break;
      busyUntil = busyUntil.filter((until) => until > now);
      const isRefused = busyUntil.length >= atOnce;
      if (!isRefused) busyUntil.push(now + exponential(serviceMs));
      const batch = batches[Math.floor(now / 1000)];
      if (batch === undefined) continue;
      batch.samples += 1;
      if (isRefused) batch.total += 1;
    }
    const failed = batches.reduce((sum, { total }) => sum + total, 0) / (measureMs / 1000);
    return {
      batches: [batches],
      measuredMs: measureMs,
      tookMs: startMs + settleMs + measureMs,
      goodLoad: load - failed,
      isGeneratorLimited: false,
    };
  };
}

/**
 * Returns a target that never responds: all requests fail when the trial stops waiting, in its last interval.
 */
export function silentTarget(stopMs: number): Target {
  return ({ load, settleMs, measureMs }) => {
    const batches = emptyBatches((measureMs + stopMs) / 1000);
    const samples = Math.round((load * measureMs) / 1000);
    return {
      batches: [[...batches.slice(1), { samples, total: samples, slow: 0 }]],
      measuredMs: measureMs,
      tookMs: startMs + settleMs + measureMs + stopMs,
      goodLoad: 0,
      isGeneratorLimited: false,
    };
  };
}

/** Returns a target behind a generator that gives out above `mostPerSecond`. */
export function behindGenerator(target: Target, mostPerSecond: number): Target {
  return (step, random) => ({ ...target(step, random), isGeneratorLimited: step.load > mostPerSecond });
}

function emptyBatches(seconds: number): { -readonly [key in keyof Batch]: number }[] {
  return Array.from({ length: seconds }, () => ({ samples: 0, total: 0, slow: 0 }));
}

export const slowRequests: Objective = {
  text: "http_req_response_time: p(99)<50ms",
  metric: "http_req_response_time",
  judges: "share",
  bound: 0.01,
  limitMs: 50,
};

export const failedRequests: Objective = {
  text: "http_req_failed: rate<1%",
  metric: "http_req_failed",
  judges: "share",
  bound: 0.01,
  limitMs: null,
};

export const usualPlan: SearchPlan = {
  objectives: [slowRequests],
  leastLoad: 1,
  mostLoad: 100_000,
  firstLoad: 500,
  budgetMs: 300_000,
  precision: 0.025,
  isWhole: false,
};

/** Runs a search to its end, and returns its trials. */
export function search(plan: SearchPlan, target: Target, seed = 1): SearchTrial[] {
  const random = randomSource(seed, 0);
  const trials: SearchTrial[] = [];
  for (let step = nextStep(plan, trials); step !== null; step = nextStep(plan, trials)) {
    trials.push({ load: step.load, purpose: step.purpose, ...target(step, random) });
  }
  return trials;
}
