import type { PausesResult, WorkerResult } from "@bearhug/sdk/internal";

import { judgeValue, type Bounds, type Finding } from "./finding.ts";

export const busyBounds: Bounds = { strained: 0.85, saturated: 0.97 };

/** At p99 it strains, at p95 it saturates: what one moment in a hundred met is no reason to give a run up. */
export const lateBoundsMs: Bounds = { strained: 20, saturated: 100 };

/** Only what the worker itself was late in: a slow target makes nobody busy, and nothing late. */
export function judgeWorker(worker: WorkerResult): Finding[] {
  const { id, utilization, loopDelayP95Ms, loopDelayP99Ms, scheduleLagP95Ms, scheduleLagP99Ms } = worker;
  return [
    ...judgeValue(
      utilization,
      busyBounds,
      (value) =>
        `worker ${id} was busy ${Math.floor(value * 100)} % of the time: add workers or lower the load; latencies are upper bounds`,
    ),
    ...judgeLateness(
      loopDelayP99Ms,
      loopDelayP95Ms,
      (value) =>
        `worker ${id} was up to ${Math.round(value)} ms late to notice events (p99)${describePauses(worker)}: ${remedyFor(worker)}; latencies are upper bounds`,
    ),
    ...judgeLateness(
      scheduleLagP99Ms,
      scheduleLagP95Ms,
      (value) =>
        `worker ${id} started iterations up to ${Math.round(value)} ms late (p99): ${remedyFor(worker)}`,
    ),
  ];
}

function judgeLateness(
  p99Ms: number | null,
  p95Ms: number | null,
  explain: (value: number) => string,
): Finding[] {
  if (p99Ms === null) return [];
  const isOften = p95Ms !== null && p95Ms >= lateBoundsMs.saturated;
  const bounds: Bounds = { strained: lateBoundsMs.strained, saturated: isOften ? 0 : Infinity };
  return judgeValue(p99Ms, bounds, explain);
}

/** Who is late without being busy was held up: more workers, or less load, would change little. */
function remedyFor(worker: WorkerResult): string {
  return wasHeldUp(worker) ? heldUp : "add workers or lower the load";
}

/** Late without being busy. */
export function wasHeldUp(worker: WorkerResult): boolean {
  const { loopDelayP99Ms } = worker;
  return loopDelayP99Ms !== null && loopDelayP99Ms >= lateBoundsMs.strained && !isBusy(worker);
}

export const heldUp =
  "the test's code blocked its thread, other processes took the CPU, or the process was suspended";

export function isBusy({ utilization }: WorkerResult): boolean {
  return utilization !== null && utilization >= busyBounds.strained;
}

function describePauses({ pauses }: WorkerResult): string {
  if (pauses === null || pauses.count === 0) return "";
  const { count, totalMs, longestMs, longestAtMs } = pauses;
  const at = `at ${seconds(longestAtMs)} s`;
  if (count === 1) return `; it paused for ${length(longestMs)} ${at}`;
  return `; it paused ${count} times, ${length(totalMs)} in all, the longest for ${length(longestMs)} ${at}`;
}

function length(durationMs: PausesResult["totalMs"]): string {
  return durationMs < 1000 ? `${Math.round(durationMs)} ms` : `${seconds(durationMs)} s`;
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(1);
}
