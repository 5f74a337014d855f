import type { IntervalSnapshot } from "@bearhug/sdk";

import { activeMs, isTimed } from "../pacing/scenario-times.ts";
import type { RunPlan } from "../protocol/plan.ts";
import { accountIterations, accountReceivedBytes, accountRequests } from "./account.ts";
import type { Collector } from "./collect.ts";
import type { SharedAccounting } from "../protocol/shared-accounting.ts";

/** The counts of all workers, of the load and of its warm-up. */
interface LoadCounts {
  readonly accountings: readonly SharedAccounting[];
  readonly warmupAccountings: readonly SharedAccounting[];
}

/** A running test at the end of a second (below 0: in the warm-up); `elapsedMs` counts from the start of the run, setup included. */
export function progressOf(
  collector: Collector,
  load: LoadCounts,
  second: number,
  plan: Pick<RunPlan, "scenarios" | "warmupMs">,
  elapsedMs: number,
): IntervalSnapshot {
  const { timeline } = collector;
  const isWarmup = second < 0;
  const interval = timeline.at(Math.max(0, second));
  const accountings = isWarmup ? load.warmupAccountings : load.accountings;
  const iterations = accountIterations(accountings);
  const requests = accountRequests(accountings).reduce(
    (sum, { succeeded, failed }) => sum + succeeded + failed,
    0,
  );
  const atMs = plan.warmupMs + (second + 1) * 1000;
  const receivedBytes = accountReceivedBytes(load);
  const p95Ms = interval.duration.count === 0 ? null : interval.duration.percentile(95);
  return {
    atMs,
    receivedBytes,
    expectedBytes: isEven(plan) ? expectedBytes(receivedBytes, atMs, plannedMs(plan)) : null,
    elapsedMs,
    plannedMs: plannedMs(plan),
    isWarmup,
    vus: interval.vus,
    iterations: iterations.completed + iterations.failed,
    requests,
    requestRate: interval.requests / (timeline.widthMs / 1000),
    failedRate: interval.requests === 0 ? 0 : interval.failedRequests / interval.requests,
    p95Ms,
    isP95LowerBound: p95Ms !== null && interval.duration.isLowerBound(p95Ms),
    dropped: iterations.dropped,
  };
}

/** True if the load is the same from the first second to the last. */
function isEven({ scenarios }: Pick<RunPlan, "scenarios">): boolean {
  return scenarios.every(
    ({ scenario }) =>
      scenario.startTimeMs === 0 &&
      (scenario.executor === "constant-vus" || scenario.executor === "constant-arrival-rate"),
  );
}

function expectedBytes(receivedBytes: number, atMs: number, lastsMs: number | null): number | null {
  return lastsMs === null ? null : receivedBytes * Math.max(1, lastsMs / atMs);
}

function plannedMs({ scenarios }: Pick<RunPlan, "scenarios">): number | null {
  if (!scenarios.every(({ scenario }) => isTimed(scenario))) return null;
  return Math.max(...scenarios.map(({ scenario }) => scenario.startTimeMs + activeMs(scenario)));
}
