import { bucketRanges, countAbove, type BucketRange } from "@bearhug/metrics/count-above";
import { sumBy } from "@bearhug/metrics/sum";
import type { TestResult } from "@bearhug/sdk";

import { negligibleDroppedShare } from "../trial-figures.ts";
import type { Batch, Objective } from "./objective.ts";

/** The share of a trial's requests that count as slow. */
const slowShare = 0.2;

/**
 * Returns the number of requests in each interval that were never sent because all virtual users were busy:
 * their iterations were dropped, and would have waited longer than any objective allows.
 */
function unsentRequests({ intervals, accounting }: TestResult): number[] {
  const { scheduled, dropped } = accounting.iterations;
  const isFew = dropped <= scheduled * negligibleDroppedShare;
  const requests = sumBy(intervals, ({ http_reqs }) => http_reqs);
  const iterations = sumBy(intervals, (one) => one.iterations);
  const each = isFew ? 0 : iterations === 0 ? 1 : requests / iterations;
  return intervals.map((interval) => interval.dropped * each);
}

/** Reads the intervals of a trial's result for one objective. */
export function readBatches(objective: Objective, result: TestResult): Batch[] {
  if (objective.gaugeUnit !== undefined) return readGauge(objective.metric, result);
  const { intervals } = result;
  if (objective.metric === "http_req_failed") {
    return intervals.map(({ http_reqs: samples, http_reqs_failed: total }) => ({ samples, total, slow: 0 }));
  }
  const field = objective.metric === "http_req_duration" ? "duration" : "responseTime";
  const perInterval = intervals.map((interval) => bucketRanges(interval[field] ?? ""));
  const slowFrom = limitOfSlowest(perInterval.flat());
  const { limitMs } = objective;
  // A mean cannot include requests that were never sent.
  const unsent = limitMs === null ? [] : unsentRequests(result);
  return perInterval.map((ranges, index) => {
    const missing = unsent[index] ?? 0;
    return {
      samples: sumBy(ranges, ({ count }) => count) + missing,
      total:
        limitMs === null
          ? sumBy(ranges, ({ from, to, count }) => (count * (from + to)) / 2)
          : countAbove(ranges, limitMs) + missing,
      slow: countAbove(ranges, slowFrom) + missing,
    };
  });
}

/** Reads the points of a gauge; each reading is one sample. */
function readGauge(name: string, { monitors }: TestResult): Batch[] {
  const gauge = monitors.flatMap(({ gauges }) => gauges).find(({ metric }) => metric === name);
  return (gauge?.points ?? []).map((point) =>
    point === null ? { samples: 0, total: 0, slow: 0 } : { samples: 1, total: point, slow: 0 },
  );
}

function limitOfSlowest(ranges: readonly BucketRange[]): number {
  const sorted = ranges.toSorted((left, right) => right.from - left.from);
  let left = sumBy(ranges, ({ count }) => count) * slowShare;
  return sorted.find(({ count }) => (left -= count) <= 0)?.from ?? 0;
}
