import type { TestResult } from "@bearhug/sdk";
import type { CapacityResult, CapacityTrial, TrialResult } from "@bearhug/sdk/result";

import { resultOf } from "./result-of.ts";

function figuresAt(perSecond: number, goodRate: number, p99: number): TrialResult {
  return {
    load: { kind: "rate", perSecond },
    startedAt: "2026-11-20T20:00:00.000Z",
    durationMs: 37_000,
    rateMs: 37_000,
    operation: "request",
    count: Math.round(goodRate * 37),
    rate: goodRate,
    goodRate,
    failedShare: 0,
    offeredRate: perSecond,
    iterationRate: goodRate,
    dropped: 0,
    concurrency: 4.2,
    busyVus: 4.3,
    errors: [],
    receivedRate: 100_000,
    rateError: null,
    times: { avg: 4.4, p50: 3, p90: 10, p95: 14, p99, max: p99 * 2, confidence: {}, lowerBoundFrom: null },
    generator: { verdict: "healthy", reasons: [] },
    failedThresholds: [],
  };
}

const noneFailed = { verdict: "PASS", value: 0, low: 0, high: 0.0002 } as const;

const trials: readonly CapacityTrial[] = [
  {
    purpose: "search",
    verdict: "FAIL",
    isGeneratorLimited: false,
    readings: [{ verdict: "FAIL", value: 1, low: 0.99, high: 1 }, noneFailed],
    figures: figuresAt(1000, 900, 700),
  },
  {
    purpose: "search",
    verdict: "UNDECIDED",
    isGeneratorLimited: false,
    readings: [{ verdict: "UNDECIDED", value: 0.004, low: 0.0021, high: 0.012 }, noneFailed],
    figures: figuresAt(780, 779.8, 21.2),
  },
  {
    purpose: "confirmation",
    verdict: "UNDECIDED",
    isGeneratorLimited: false,
    readings: [{ verdict: "UNDECIDED", value: 0.0087, low: 0.0055, high: 0.0136 }, noneFailed],
    figures: figuresAt(812, 811.4, 24.4),
  },
];

const capacity: CapacityResult = {
  answer: "found",
  unit: "rate",
  load: 812,
  low: 794.2,
  high: 831,
  confirmed: "UNDECIDED",
  limitedBy:
    "queueing at 900/s: 52 requests are in flight on average, and no more than 900 requests/s complete; p99 is 700 ms, 24.4 ms at 800/s",
  atLeast: null,
  objectives: [
    { text: "http_req_response_time: p(99)<25ms", judges: "share", bound: 0.01, isOwn: true },
    { text: "http_req_failed: rate<1%", judges: "share", bound: 0.01, isOwn: false },
  ],
  budgetMs: 300_000,
  spentMs: 134_000,
  trials,
};

/** The result of a search that found the capacity. */
export const foundCapacity: TestResult & { readonly capacity: CapacityResult } = {
  ...resultOf({
    notes: [
      "rely on 794.2/s: the capacity is about 812.0/s, between 794.2/s and 831.0/s with 95 % confidence",
    ],
    capacity,
  }),
  capacity,
};
