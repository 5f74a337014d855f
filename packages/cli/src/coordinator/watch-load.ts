import type { IntervalSnapshot } from "@bearhug/sdk";

import type { Clock } from "../pacing/clock.ts";
import { every } from "../pacing/every.ts";
import type { PlannedRun } from "../test-file/make-plan.ts";
import { findAbortingThreshold } from "../thresholds/abort.ts";
import { accountGauges } from "./account.ts";
import type { Collector } from "./collect.ts";
import type { LoadRun } from "./load-run.ts";
import { progressOf } from "./progress.ts";

/** A load that is being applied, and who wants to know. */
export interface WatchedLoad {
  readonly clock: Clock;
  readonly planned: PlannedRun;
  readonly load: LoadRun;
  readonly collector: Collector;
  /** When the run began, by the clock; setup lies between that and the load. */
  readonly beganMs: number;
  readonly onProgress: (progress: IntervalSnapshot) => void;
  /** One sentence. */
  readonly onWarning: (text: string) => void;
}

/** How often virtual users and connections are counted. */
const gaugeEveryMs = 100;

/** A second's snapshots have arrived by this long after its end. */
const settleMs = 200;

/** Once a second: gauges, progress, and thresholds that end the run. Returns how to end it. */
export function watchLoad({
  clock,
  planned,
  load,
  collector,
  beganMs,
  onProgress,
  onWarning,
}: WatchedLoad): () => void {
  let second = 0;
  let hasAborted = false;
  const tick = (): void => {
    const elapsedMs = clock.now() - load.startedAtMs;
    onProgress(progressOf(collector, load, second, planned.plan, clock.now() - beganMs));
    second++;
    cancel = clock.at(load.startedAtMs + (second + 1) * 1000 + settleMs, tick);
    if (hasAborted) return;
    const failed = findAbortingThreshold(planned.thresholds, collector.store, elapsedMs);
    if (failed === undefined) return;
    hasAborted = true;
    onWarning(`threshold ${failed.key}: ${failed.text} failed and ends the run early`);
    load.stop("hard");
  };
  let cancel = clock.at(clock.now() + 1000 + settleMs, tick);
  const endGauges = every(clock, gaugeEveryMs, () => {
    if (!load.isActive) return;
    collector.gauge(Math.floor((clock.now() - load.startedAtMs) / 1000), accountGauges(load.accountings));
  });
  return () => {
    cancel();
    endGauges();
  };
}
