import { bucketRanges, countAbove, type BucketRange } from "@bearhug/metrics/count-above";
import type { TestResult } from "@bearhug/sdk";

import type { Batch, Objective } from "./objective.ts";

/** The share of a trial's requests that are its slow ones. */
const slowShare = 0.2;

/** The intervals of a trial's result as an objective sees them. */
export function readBatches(objective: Objective, result: TestResult): Batch[] {
  if (objective.gaugeUnit !== undefined) return readGauge(objective.metric, result);
  const { intervals } = result;
  if (objective.metric === "http_req_failed") {
    return intervals.map(({ http_reqs: samples, http_reqs_failed: total }) => ({ samples, total, slow: 0 }));
  }
  const field = objective.metric === "http_req_duration" ? "duration" : "responseTime";
  const perInterval = intervals.map((interval) => bucketRanges(interval[field] ?? ""));
  const slowFrom = limitOfSlowest(perInterval.flat());
  return perInterval.map((ranges) => ({
    samples: ranges.reduce((sum, { count }) => sum + count, 0),
    total:
      objective.limitMs === null
        ? ranges.reduce((sum, { from, to, count }) => sum + (count * (from + to)) / 2, 0)
        : countAbove(ranges, objective.limitMs),
    slow: countAbove(ranges, slowFrom),
  }));
}

/** Each reading is one sample. */
function readGauge(name: string, { monitors }: TestResult): Batch[] {
  const gauge = monitors.flatMap(({ gauges }) => gauges).find(({ metric }) => metric === name);
  return (gauge?.points ?? []).map((point) =>
    point === null ? { samples: 0, total: 0, slow: 0 } : { samples: 1, total: point, slow: 0 },
  );
}

function limitOfSlowest(ranges: readonly BucketRange[]): number {
  const sorted = ranges.toSorted((left, right) => right.from - left.from);
  let left = ranges.reduce((sum, { count }) => sum + count, 0) * slowShare;
  return sorted.find(({ count }) => (left -= count) <= 0)?.from ?? 0;
}
