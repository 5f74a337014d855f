import type { IntervalSnapshot } from "@bearhug/sdk";

import { Trend } from "../metrics/trend.ts";
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
  const stretch = Math.max(0, second);
  const { vus } = timeline.engine.at(stretch).counts;
  const clients = [...timeline.clients.values()].map((one) => one.at(stretch));
  const sum = (of: "operations" | "failed"): number =>
    clients.reduce((total, { counts }) => total + counts[of], 0);
  const operations = sum("operations");
  const accountings = isWarmup ? load.warmupAccountings : load.accountings;
  const iterations = accountIterations(accountings);
  const requests = accountRequests(accountings).reduce(
    (sum, { succeeded, failed }) => sum + succeeded + failed,
    0,
  );
  const atMs = plan.warmupMs + (second + 1) * 1000;
  const receivedBytes = accountReceivedBytes(load);
  const duration = mergedTrend(clients.map(({ spreads }) => spreads.duration));
  const p95Ms = duration.count === 0 ? null : duration.percentile(95);
  return {
    atMs,
    receivedBytes,
    expectedBytes: isEven(plan) ? expectedBytes(receivedBytes, atMs, plannedMs(plan)) : null,
    elapsedMs,
    plannedMs: plannedMs(plan),
    isWarmup,
    vus,
    iterations: iterations.completed + iterations.failed,
    requests,
    requestRate: operations / (timeline.engine.widthMs / 1000),
    failedRate: operations === 0 ? 0 : sum("failed") / operations,
    p95Ms,
    isP95LowerBound: p95Ms !== null && duration.isLowerBound(p95Ms),
    dropped: iterations.dropped,
  };
}

function mergedTrend(trends: readonly Trend[]): Trend {
  const merged = new Trend(2);
  for (const trend of trends) merged.merge(trend.toDelta());
  return merged;
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
