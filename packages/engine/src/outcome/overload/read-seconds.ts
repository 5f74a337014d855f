import { bucketRanges } from "@bearhug/metrics/count-above";
import { sumBy } from "@bearhug/metrics/sum";
import type { ClientInterval, IntervalResult, TestResult } from "@bearhug/sdk";

import type { LoadSecond } from "./load-second.ts";

/** Returns the full intervals of a result: the last one may have been cut short. */
export function readSeconds({ intervals }: Pick<TestResult, "intervals">): LoadSecond[] {
  const widthMs = intervals[0]?.widthMs ?? 0;
  const isHttp = intervals.some((interval) => interval.http_reqs > 0);
  return intervals
    .filter((interval) => interval.widthMs === widthMs)
    .map((interval) => {
      const perSecond = (count: number): number => (count * 1000) / widthMs;
      const { operations, failed, responseTime } = isHttp ? requestsOf(interval) : operationsOf(interval);
      return {
        fromMs: interval.atMs - widthMs,
        toMs: interval.atMs,
        goodput: perSecond(operations - failed),
        failed: perSecond(failed),
        dropped: perSecond(interval.dropped),
        p95: p95Of(responseTime ?? "", operations - failed),
        connectionsOpened: perSecond(interval.connections_opened ?? 0),
        iterations: perSecond(interval.iterations),
      };
    });
}

type Operations = Pick<ClientInterval, "operations" | "failed" | "responseTime">;

function requestsOf({ http_reqs, http_reqs_failed, responseTime }: IntervalResult): Operations {
  return { operations: http_reqs, failed: http_reqs_failed, responseTime };
}

/** Returns the operations of a test without HTTP: those of its first client. */
function operationsOf({ clients = {} }: IntervalResult): Operations {
  return Object.values(clients)[0] ?? { operations: 0, failed: 0, responseTime: null };
}

/**
 * Estimates p95 as if failed requests were the fastest, so that fast rejections cannot hide how long the
 * others wait.
 */
function p95Of(histogram: string, succeeded: number): number | null {
  const ranges = bucketRanges(histogram);
  const all = sumBy(ranges, ({ count }) => count);
  if (all === 0 || succeeded === 0) return null;
  let left = all - 0.05 * Math.min(all, succeeded);
  return ranges.find(({ count }) => (left -= count) <= 0)?.to ?? null;
}
