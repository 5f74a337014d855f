import { activeMs } from "../pacing/scenario-times.ts";
import type { RunPlan } from "../protocol/plan.ts";
import { accountIterations, accountRequests } from "./account.ts";
import type { Collector } from "./collect.ts";
import type { LoadRun } from "./load-run.ts";

/** A running test as it stands; rates and the percentile are of the second that just ended. */
export interface Progress {
  /** From the start of the load to the end of this second. */
  readonly atMs: number;
  /** How long the load is planned to last; null where iterations decide. */
  readonly plannedMs: number | null;
  readonly vus: number;
  /** Ended so far. */
  readonly iterations: number;
  /** Answered or failed so far. */
  readonly requests: number;
  readonly requestRate: number;
  /** The share of requests that failed, from 0 to 1. */
  readonly failedRate: number;
  /** Of `http_req_duration`; null in a second without an answer. */
  readonly p95Ms: number | null;
  /** Iterations that were due so far, but never started. */
  readonly dropped: number;
}

export function progressOf(collector: Collector, load: LoadRun, second: number, plan: RunPlan): Progress {
  const { timeline } = collector;
  const interval = timeline.at(second);
  const iterations = accountIterations(load.accountings);
  const requests = accountRequests(load.accountings).reduce(
    (sum, { succeeded, failed }) => sum + succeeded + failed,
    0,
  );
  return {
    atMs: (second + 1) * 1000,
    plannedMs: plannedMs(plan),
    vus: interval.vus,
    iterations: iterations.completed + iterations.failed,
    requests,
    requestRate: interval.requests / (timeline.widthMs / 1000),
    failedRate: interval.requests === 0 ? 0 : interval.failedRequests / interval.requests,
    p95Ms: interval.duration.count === 0 ? null : interval.duration.percentile(95),
    dropped: iterations.dropped,
  };
}

function plannedMs({ scenarios }: RunPlan): number | null {
  const isCounted = scenarios.some(
    ({ scenario }) => scenario.executor === "shared-iterations" || scenario.executor === "per-vu-iterations",
  );
  if (isCounted) return null;
  return Math.max(...scenarios.map(({ scenario }) => scenario.startTimeMs + activeMs(scenario)));
}
