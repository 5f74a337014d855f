import type { TrialResult } from "@bearhug/sdk/result";
import { expect, test } from "vitest";

import { describeLimit } from "../../../src/trials/capacity/limiting-cause.ts";

const times = { avg: 10, p50: 8, p90: 20, p95: 30, p99: 60, max: 90, confidence: {}, lowerBoundFrom: null };

function trialAt(perSecond: number, parts: Partial<TrialResult> = {}): TrialResult {
  return {
    load: { kind: "rate", perSecond },
    startedAt: "2026-11-20T20:00:00.000Z",
    durationMs: 10_000,
    rateMs: 10_000,
    operation: "request",
    count: perSecond * 10,
    rate: perSecond,
    goodRate: perSecond,
    failedShare: 0,
    offeredRate: perSecond,
    iterationRate: perSecond,
    dropped: 0,
    concurrency: 4,
    busyVus: 4,
    times,
    errors: [],
    receivedRate: 0,
    rateError: null,
    generator: { verdict: "healthy", reasons: [] },
    failedThresholds: [],
    ...parts,
  };
}

test("responses with 429 mean a rate limiter", () => {
  const violated = trialAt(400, {
    goodRate: 200,
    failedShare: 0.5,
    errors: [{ code: "HTTP_429", count: 2000 }],
  });
  expect(describeLimit({ violated, met: null, byFailures: true, mostGoodRate: 400 })).toBe(
    "a rate limiter: the target answers 50 % of requests with 429 (Too Many Requests), while 200 requests/s succeed",
  );
});

test("responses with 503 mean a limit on concurrent requests", () => {
  const violated = trialAt(400, {
    goodRate: 300,
    concurrency: 8,
    errors: [{ code: "HTTP_503", count: 1000 }],
  });
  expect(describeLimit({ violated, met: null, byFailures: true, mostGoodRate: 400 })).toBe(
    "a limit on concurrent requests: the target refuses 25 % of requests with 503 (Service Unavailable), with 8 in flight on average, while 300 requests/s succeed",
  );
});

test("other failures are named by their code", () => {
  const violated = trialAt(400, { goodRate: 360, errors: [{ code: "CONNECTION_REFUSED", count: 400 }] });
  expect(describeLimit({ violated, met: null, byFailures: true, mostGoodRate: 400 })).toBe(
    "failures: 10 % of requests end with CONNECTION_REFUSED, while 360 requests/s succeed",
  );
});

test("slow requests mean a queue, with the throughput that no longer grows", () => {
  const violated = trialAt(400, { goodRate: 310, concurrency: 52, times: { ...times, p99: 480 } });
  expect(describeLimit({ violated, met: trialAt(300), byFailures: false, mostGoodRate: 312 })).toBe(
    "queueing at 400.0/s: 52 requests are in flight on average, and no more than 312 requests/s complete; p99 is 480 ms, 60 ms at 300.0/s",
  );
  expect(
    describeLimit({ violated: trialAt(400), met: trialAt(300), byFailures: false, mostGoodRate: 312 }),
  ).toBe("queueing at 400.0/s: 4 requests are in flight on average; p99 is 60 ms, 60 ms at 300.0/s");
});

test("if there were too few virtual users for a load, they are the limit, not the target", () => {
  const violated = trialAt(400, { rate: 160, goodRate: 160, iterationRate: 160, dropped: 2400 });
  expect(describeLimit({ violated, met: trialAt(160), byFailures: false, mostGoodRate: 312 })).toBe(
    "virtual users: all of them were busy, so 60 % of iterations were never started, while 160 requests/s succeed; --max-vus (a test: maxVUs) allows more",
  );
  const few = trialAt(400, { dropped: 30 });
  expect(describeLimit({ violated: few, met: trialAt(160), byFailures: false, mostGoodRate: 312 })).toContain(
    "queueing",
  );
});
