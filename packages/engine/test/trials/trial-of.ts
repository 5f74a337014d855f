import type { TrialResult } from "@bearhug/sdk/result";

/**
 * Returns a trial of VUs that send their next request at once, and in which a response takes `responseMs`.
 */
export function trialOf(vus: number, responseMs: number, parts: Partial<TrialResult> = {}): TrialResult {
  const rate = (vus * 1000) / responseMs;
  return {
    load: { kind: "vus", vus },
    startedAt: "2026-11-23T04:00:00.000Z",
    durationMs: 5000,
    rateMs: 5000,
    operation: "request",
    count: Math.round(rate * 5),
    rate,
    rateError: null,
    goodRate: rate,
    failedShare: 0,
    offeredRate: null,
    iterationRate: rate,
    dropped: 0,
    concurrency: vus,
    busyVus: vus,
    times: {
      avg: responseMs,
      p50: responseMs,
      p90: responseMs,
      p95: responseMs,
      p99: responseMs,
      max: responseMs,
      confidence: {},
      lowerBoundFrom: null,
    },
    errors: [],
    receivedRate: rate * 1000,
    generator: { verdict: "healthy", reasons: [] },
    failedThresholds: [],
    ...parts,
  };
}

/**
 * Returns a trial of a server that handles `limit` requests at once, in `serviceMs` each, and queues the
 * others.
 */
export function limitedTrial(vus: number, limit: number, serviceMs: number): TrialResult {
  return trialOf(vus, serviceMs * Math.max(1, vus / limit));
}

/** Returns a trial at an arrival rate, of which the target completes `done` iterations per second. */
export function rateTrial(perSecond: number, done: number, parts: Partial<TrialResult> = {}): TrialResult {
  const load = { kind: "rate", perSecond } as const;
  return { ...trialOf(4, 4000 / done), load, offeredRate: perSecond, ...parts };
}
