import { findAbortingThreshold } from "@bearhug/metrics/thresholds/abort";
import { StartSpan } from "@bearhug/plan/executors/start-span";
import { every } from "@bearhug/plan/pacing/clock";
import type { IntervalSnapshot } from "@bearhug/sdk";
import type { ProcessResult } from "@bearhug/sdk/result";

import { accountGauges, accountIterations } from "../outcome/account.ts";
import { RunProgress } from "../outcome/progress.ts";
import type { LoadRun } from "./load-run.ts";
import type { PlannedLiveRun } from "./run-request.ts";

/** How often virtual users and connections are counted. */
const gaugeEveryMs = 100;

/** A second's snapshots have arrived by this long after its end. */
const settleMs = 200;

/** Windows wait so long for a worker that tells nothing; what it tells later counts then. */
const patienceSeconds = 5;

/**
 * Once a second: gauges, progress, and thresholds that end the run. Seconds count from the end of the warm-up: in it there is
 * progress alone. Begins when the load has; returns how to end it, which says up to when iterations were started. */
export function watchLoad(
  run: PlannedLiveRun,
  load: LoadRun,
  usedByProcess: () => ProcessResult,
): () => number {
  const { clock, planned, collector, beganMs, mask, observer, onWarning } = run;
  let second = -Math.floor(planned.plan.warmupMs / 1000);
  let hasAborted = false;
  const span = new StartSpan(planned.plan.scenarios.map(({ scenario }) => scenario));
  // A span counts from the start of the load, windows from the end of the warm-up.
  const startsUntilMs = (): number => span.untilMs(load.activeForMs) - planned.plan.warmupMs;
  const look = (): void => {
    span.look(clock.now() - load.startedAtMs, accountIterations(load.accountings).scheduled);
  };
  const progress = new RunProgress({ ...planned, collector, usedByProcess, hide: mask.hide });
  const snapshot = (): IntervalSnapshot =>
    progress.at(second, { nowMs: clock.now(), elapsedMs: clock.now() - beganMs }, load);
  const tick = (): void => {
    const elapsedMs = clock.now() - load.measuredFromMs;
    observer.onProgress?.(snapshot());
    second++;
    cancel = clock.at(load.measuredFromMs + (second + 1) * 1000 + settleMs, tick);
    if (hasAborted || elapsedMs < 1000) return;
    const running = load.workers.filter(({ isRunning }) => isRunning).map(({ id }) => id);
    const secondsOver = Math.max(second - patienceSeconds, Math.min(second, collector.secondsTold(running)));
    collector.windows.advance(secondsOver, startsUntilMs());
    if (planned.plan.shard !== undefined) return;
    const failed = findAbortingThreshold(planned.thresholds, collector, elapsedMs);
    if (failed === undefined) return;
    hasAborted = true;
    onWarning(`threshold ${failed.metric}: ${failed.expression} failed and ends the run early`);
    load.stop("hard");
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
      observer.onRest?.({ ...snapshot(), atMs: load.endedAtMs - load.startedAtMs });
    const endedMs = clock.now() - load.measuredFromMs;
    return Math.max(0, Math.min(startsUntilMs(), Math.ceil(endedMs / 1000) * 1000));
  };
}
