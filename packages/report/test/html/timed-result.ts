import { Trend } from "@bearhug/metrics/trend";
import type { TestResult } from "@bearhug/sdk";

import { exemplary } from "../exemplary-result.ts";
import { exemplars } from "../exemplars.ts";
import { latencies, resultOf, trendMetric, trendSeries } from "../result-of.ts";
import { failed } from "../results.ts";

/** Durations in ms of the requests of each second. */
export const secondsOfDurations: readonly (readonly number[])[] = Array.from({ length: 30 }, (_, second) =>
  second === 12 ? [] : latencies(200 + second, 2 + (second % 7)),
);

export const allDurations = secondsOfDurations.flat();

type Interval = TestResult["intervals"][number];

/** Returns the interval of a second in which requests with these durations ended. */
function intervalOf(second: number, durations: readonly number[]): Interval {
  const trend = new Trend(2);
  for (const ms of durations) trend.add(ms);
  const encoded = trend.encode();
  return {
    atMs: (second + 1) * 1000,
    widthMs: 1000,
    vus: 5 + second,
    http_reqs: durations.length,
    http_reqs_failed: second % 3,
    iterations: 10,
    dropped: second > 20 ? 2 : 0,
    bytes: 51_200 * second,
    duration: encoded,
    responseTime: encoded,
  };
}

/** A failed run with half a minute of intervals. */
export const timed: TestResult = resultOf({
  ...failed,
  errors: exemplary.errors,
  exemplars,
  intervals: secondsOfDurations.map((durations, second) => intervalOf(second, durations)),
  metrics: { ...failed.metrics, http_req_duration: trendMetric(allDurations) },
  series: [
    trendSeries("http_req_duration", { name: "GET /" }, allDurations.slice(0, 4000)),
    trendSeries("http_req_duration", { name: "GET /style.css" }, allDurations.slice(4000)),
  ],
});

const names = Array.from({ length: 100 }, (_, index) => `GET /articles/${index}`);

/** A run of an hour with the maximum number of intervals and a hundred request names. */
export const hourLong: TestResult = resultOf({
  ...timed,
  durationMs: 3_600_000,
  intervals: Array.from({ length: 600 }, (_, index) => ({
    ...intervalOf(index % 30, secondsOfDurations[index % 30] ?? []),
    atMs: (index + 1) * 6000,
    widthMs: 6000,
  })),
  accounting: {
    ...timed.accounting,
    requests: names.map((name) => ({
      name,
      started: 3000,
      sent: 3000,
      succeeded: 3000,
      failed: 0,
      interrupted: 0,
      lost: 0,
    })),
  },
  names: names.map((name, index) => ({
    name,
    metrics: { http_req_duration: trendMetric(latencies(3000, 2 + (index % 50))) },
  })),
  series: names.map((name, index) =>
    trendSeries("http_req_duration", { name }, latencies(3000, 2 + (index % 50))),
  ),
});
