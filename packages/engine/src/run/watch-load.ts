import { findAbortingThreshold } from "@bearhug/metrics/thresholds/abort";
import { StartTimeEstimate } from "@bearhug/plan/executors/start-time-estimate";
import { every } from "@bearhug/plan/pacing/clock";
import type { IntervalSnapshot } from "@bearhug/sdk";
import type { ProcessResult } from "@bearhug/sdk/result";

import { accountGauges, accountIterations } from "../outcome/account.ts";
import { RunProgress } from "../outcome/progress.ts";
import type { LoadRun } from "./load-run.ts";
import type { PlannedLiveRun } from "./run-request.ts";

/** The interval in which virtual users and connections are counted. */
const gaugeEveryMs = 100;

/** The time after the end of a second by which its snapshots have arrived. */
const settleMs = 200;

/**
 * Records gauges, and once a second reports progress and checks thresholds that end the run. Seconds count
 * from the end of the warm-up, during which only progress is reported. Call it when the load has begun.
 * Returns a function that ends the watch and returns the time until which iterations were started.
 */
export function watchLoad(
  run: PlannedLiveRun,
  load: LoadRun,
  usedByProcess: () => ProcessResult,
): () => number {
  const { clock, planned, collector, beganMs, interruptions, mask, observer, onWarning } = run;
  const { plan, described } = planned;
  let second = -Math.floor(plan.warmupMs / 1000);
  let hasAborted = false;
  const span = new StartTimeEstimate(plan.scenarios.map(({ scenario }) => scenario));
  // The span counts from the start of the load, windows from the end of the warm-up.
  const startsUntilMs = (): number => span.untilMs(load.activeForMs) - plan.warmupMs;
  const look = (): void =>
    span.observe(clock.now() - load.startedAtMs, accountIterations(load.accountings).scheduled);
  const thresholds = planned.thresholds.map(({ threshold }) => threshold);
  const progress = new RunProgress({
    plan: described,
    shard: plan.shard ?? null,
    thresholds,
    collector,
    usedByProcess,
    hide: mask.hide,
  });
  const snapshot = (): IntervalSnapshot =>
    progress.at(second, { nowMs: clock.now(), elapsedMs: clock.now() - beganMs }, load);
  const tick = (): void => {
    const elapsedMs = clock.now() - load.measuredFromMs;
    observer.onProgress?.(snapshot());
    second++;
    cancel = clock.at(load.measuredFromMs + (second + 1) * 1000 + settleMs, tick);
    if (hasAborted || elapsedMs < 1000) return;
    collector.advanceWindows(second, load.workers, startsUntilMs());
    if (plan.shard !== undefined) return;
    const failed = findAbortingThreshold(thresholds, collector, elapsedMs);
    if (failed === undefined) return;
    hasAborted = true;
    const threshold = `${failed.metric}: ${failed.expression}`;
    onWarning(`threshold ${threshold} failed and ends the run early`);
    interruptions.endLoad(threshold);
  };
  let cancel = clock.at(load.measuredFromMs + (second + 1) * 1000 + settleMs, tick);
  const endGauges = every(clock, gaugeEveryMs, () => {
    look();
    if (!load.isActive) return;
    collector.gauge(Math.floor((clock.now() - load.measuredFromMs) / 1000), accountGauges(load.accountings));
  });
  return () => {
    cancel();
    endGauges();
    look();
    if (collector.gathered !== null)
      observer.onFinalSeries?.({ ...snapshot(), atMs: load.endedAtMs - load.startedAtMs });
    const endedMs = clock.now() - load.measuredFromMs;
    return Math.max(0, Math.min(startsUntilMs(), Math.ceil(endedMs / 1000) * 1000));
  };
}
