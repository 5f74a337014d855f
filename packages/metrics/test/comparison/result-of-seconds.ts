import type { IntervalResult, TestResult } from "@bearhug/sdk";

import { Trend } from "../../src/trend.ts";
import { resultOf } from "../../../report/test/result-of.ts";

/** The requests that ended in one second of a simulated run. */
export interface SimulatedSecond {
  readonly durationsMs: readonly number[];
  readonly failed: number;
}

/** Returns the result of a simulated run: intervals of a second, with the times and failures of requests. */
export function resultOfSeconds(seconds: readonly SimulatedSecond[]): TestResult {
  const all = new Trend(3);
  const intervals = seconds.map(({ durationsMs, failed }, second): IntervalResult => {
    const times = new Trend(2);
    for (const ms of durationsMs) {
      times.add(ms);
      all.add(ms);
    }
    const count = durationsMs.length;
    const duration = count === 0 ? null : times.encode();
    return {
      atMs: (second + 1) * 1000,
      widthMs: 1000,
      vus: 10,
      dropped: 0,
      bytes: 0,
      http_reqs: count,
      http_reqs_failed: failed,
      iterations: count,
      duration,
      responseTime: duration,
    };
  });
  const requests = all.count;
  const failures = seconds.reduce((sum, { failed }) => sum + failed, 0);
  const values = {
    count: requests,
    min: all.min / 1000,
    avg: all.sum / requests / 1000,
    max: all.max / 1000,
    med: all.percentile(50),
    "p(50)": all.percentile(50),
    "p(95)": all.percentile(95),
  };
  const rate = { rate: failures / requests, passes: failures, fails: requests - failures };
  const perSecond = { count: requests, rate: requests / seconds.length };
  const tags = { scenario: "default", name: "GET /" };
  const sound = { interrupted: 0, lost: 0 };
  return resultOf({
    durationMs: seconds.length * 1000,
    blockMs: 1000,
    intervals,
    accounting: {
      iterations: {
        scheduled: requests,
        started: requests,
        completed: requests,
        failed: 0,
        dropped: 0,
        ...sound,
      },
      requests: [
        {
          name: "GET /",
          started: requests,
          sent: requests,
          succeeded: requests - failures,
          failed: failures,
          ...sound,
        },
      ],
      setup: { requests: [] },
      teardown: { requests: [] },
      warmup: null,
    },
    metrics: {
      http_req_duration: { type: "trend", unit: "ms", values },
      http_req_response_time: { type: "trend", unit: "ms", values },
      http_req_failed: { type: "rate", unit: null, values: rate },
      http_reqs: { type: "counter", unit: null, values: perSecond },
      iterations: { type: "counter", unit: null, values: perSecond },
    },
    series: [
      { metric: "http_req_duration", tags, values, histogram: null },
      { metric: "http_req_failed", tags, values: rate, histogram: null },
    ],
  });
}
