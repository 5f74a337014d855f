import type { TrialResult } from "@bearhug/sdk/result";

/** A trial with this number of VUs, if an answer takes this many ms and each VU asks again at once. */
export function trialOf(vus: number, answerMs: number, parts: Partial<TrialResult> = {}): TrialResult {
  const rate = (vus * 1000) / answerMs;
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
      avg: answerMs,
      p50: answerMs,
      p90: answerMs,
      p95: answerMs,
      p99: answerMs,
      max: answerMs,
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

/** A server that answers `limit` requests at once in `serviceMs`, and lets the others wait. */
export function limitedTrial(vus: number, limit: number, serviceMs: number): TrialResult {
  return trialOf(vus, serviceMs * Math.max(1, vus / limit));
}

/** A trial of iterations that start at a rate, of which the target does `done`. */
export function rateTrial(perSecond: number, done: number, parts: Partial<TrialResult> = {}): TrialResult {
  const load = { kind: "rate", perSecond } as const;
  return { ...trialOf(4, 4000 / done), load, offeredRate: perSecond, ...parts };
}
