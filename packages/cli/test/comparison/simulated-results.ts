import type { IntervalResult, TestResult } from "@bearhug/sdk";

import type { NamedRun } from "../../src/comparison/comparable.ts";
import { Trend } from "../../src/metrics/trend.ts";
import { randomSource, type RandomSource } from "../../src/pacing/random-source.ts";
import { resultOf } from "../reporters/result-of.ts";

/** A run against a server whose times depend on each other, in simulated time. */
export interface SimulatedResult {
  readonly seed: number;
  readonly seconds: number;
  readonly requestsPerSecond: number;
  /** All times are multiplied by this. */
  readonly factor?: number;
  /** The slowest tenth of all times is multiplied by this, too. */
  readonly tailFactor?: number;
  /** The standard deviation of a wave that is the same for all runs of one `commonSeed`: those that took turns. */
  readonly commonWave?: number;
  readonly commonSeed?: number;
  /** The standard deviation of what one whole run is slower or faster by. */
  readonly runNoise?: number;
  /** The standard deviation of a slow wave, which goes on for several seconds (AR(1) with 0.7 from one second to the next). */
  readonly wave?: number;
  readonly failedShare?: number;
}

/** The result of a simulated run: intervals of a second, with the times and failures of requests. */
export function simulateResult(run: SimulatedResult): TestResult {
  const { seed, seconds, requestsPerSecond, runNoise = 0, failedShare = 0 } = run;
  const random = randomSource(seed, 7);
  const runFactor = (run.factor ?? 1) * Math.exp(runNoise * normal(random));
  const all = new Trend(3);
  const own = createWave(random, run.wave ?? 0);
  const common = createWave(randomSource(run.commonSeed ?? 0, 8), run.commonWave ?? 0);
  let failures = 0;
  const intervals = Array.from({ length: seconds }, (_, second): IntervalResult => {
    const height = own() + common();
    const times = new Trend(2);
    let failed = 0;
    for (let request = 0; request < requestsPerSecond; request++) {
      const spread = normal(random);
      const tail = spread > slowestTenth ? (run.tailFactor ?? 1) : 1;
      const ms = 10 * runFactor * tail * Math.exp(height + 0.5 * spread);
      times.add(ms);
      all.add(ms);
      if (random() < failedShare) failed++;
    }
    failures += failed;
    const duration = times.encode();
    const counts = {
      vus: 10,
      http_reqs: requestsPerSecond,
      http_reqs_failed: failed,
      iterations: requestsPerSecond,
    };
    return {
      atMs: (second + 1) * 1000,
      widthMs: 1000,
      ...counts,
      dropped: 0,
      bytes: 0,
      duration,
      responseTime: duration,
    };
  });
  const requests = seconds * requestsPerSecond;
  const values = {
    ...{ count: all.count, min: all.min / 1000, avg: all.sum / all.count / 1000, max: all.max / 1000 },
    ...{ med: all.percentile(50), "p(50)": all.percentile(50), "p(95)": all.percentile(95) },
  };
  const rate = { rate: failures / requests, passes: failures, fails: requests - failures };
  const tags = { scenario: "default", name: "GET /" };
  return resultOf({
    durationMs: seconds * 1000,
    blockMs: 1000,
    intervals,
    accounting: {
      iterations: {
        ...{ scheduled: requests, started: requests, completed: requests },
        failed: 0,
        interrupted: 0,
        dropped: 0,
        lost: 0,
      },
      requests: [
        {
          name: "GET /",
          started: requests,
          sent: requests,
          succeeded: requests - failures,
          failed: failures,
          interrupted: 0,
          lost: 0,
        },
      ],
      ...{ setup: { requests: [] }, teardown: { requests: [] }, warmup: null },
    },
    metrics: {
      http_req_duration: { type: "trend", unit: "ms", values },
      http_req_response_time: { type: "trend", unit: "ms", values },
      http_req_failed: { type: "rate", unit: null, values: rate },
      http_reqs: { type: "counter", unit: null, values: { count: requests, rate: requestsPerSecond } },
      iterations: { type: "counter", unit: null, values: { count: requests, rate: requestsPerSecond } },
    },
    series: [
      { metric: "http_req_duration", tags, values, histogram: null },
      { metric: "http_req_failed", tags, values: rate, histogram: null },
    ],
  });
}

/** The same, as the runs of a side. */
export function simulateSide(name: string, runs: readonly SimulatedResult[]): NamedRun[] {
  return runs.map((run, at) => ({ name: `${name}-${at + 1}.json`, result: simulateResult(run) }));
}

/** The normal distribution's 90 % quantile. */
const slowestTenth = 1.281552;

/** A slow wave: each second depends on the one before (AR(1)). */
function createWave(random: RandomSource, deviation: number): () => number {
  let height = normal(random);
  return () => {
    height = 0.7 * height + Math.sqrt(1 - 0.7 ** 2) * normal(random);
    return deviation * height;
  };
}

/** Box and Muller, 1958. */
function normal(random: RandomSource): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
