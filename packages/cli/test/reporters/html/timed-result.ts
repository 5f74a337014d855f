import type { TestResult } from "@bearhug/sdk";

import { Trend } from "../../../src/metrics/trend.ts";
import { latencies, resultOf, trendMetric, trendSeries } from "../result-of.ts";
import { failed } from "../results.ts";

/** Durations in ms of the requests of each second. */
export const secondsOfDurations: readonly (readonly number[])[] = Array.from({ length: 30 }, (_, second) =>
  second === 12 ? [] : latencies(200 + second, 2 + (second % 7)),
);

export const allDurations = secondsOfDurations.flat();

type Interval = TestResult["intervals"][number];

/** A second of a run in which these requests ended. */
function intervalOf(second: number, durations: readonly number[]): Interval {
  const trend = new Trend(2);
  for (const ms of durations) trend.add(ms);
  const encoded = trend.encode();
  return {
    ...{ atMs: (second + 1) * 1000, widthMs: 1000, vus: 5 + second, http_reqs: durations.length },
    ...{ http_reqs_failed: second % 3, iterations: 10, dropped: second > 20 ? 2 : 0, bytes: 51_200 * second },
    ...{ duration: encoded, responseTime: encoded },
  };
}

/** A run that failed, with half a minute of intervals. */
export const timed: TestResult = resultOf({
  ...failed,
  intervals: secondsOfDurations.map((durations, second) => intervalOf(second, durations)),
  metrics: { ...failed.metrics, http_req_duration: trendMetric(allDurations) },
  series: [
    trendSeries("http_req_duration", { name: "GET /" }, allDurations.slice(0, 4000)),
    trendSeries("http_req_duration", { name: "GET /style.css" }, allDurations.slice(4000)),
  ],
});
