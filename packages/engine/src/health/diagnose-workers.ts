import type { PausesResult, WorkerResult } from "@bearhug/sdk/result";

import { type FindingBounds, type GeneratorFinding, checkBounds } from "./finding.ts";

export const busyBounds: FindingBounds = { strained: 0.85, saturated: 0.97 };

/**
 * Lateness counts as strained by its p99 and as saturated by its p95: one moment in a hundred does not spoil
 * a run.
 */
export const lateBoundsMs: FindingBounds = { strained: 20, saturated: 100 };

/** Diagnoses how busy and late a worker was. A slow target makes no worker busy or late. */
function diagnoseWorker(worker: WorkerResult): GeneratorFinding[] {
  const { id, utilization, loopDelayP95Ms, loopDelayP99Ms, scheduleLagP95Ms, scheduleLagP99Ms } = worker;
  return [
    ...checkBounds(
      utilization,
      busyBounds,
      (value) =>
        `worker ${id} was busy ${Math.floor(value * 100)} % of the time: add workers or lower the load; latencies are upper bounds`,
    ),
    ...diagnoseLateness(
      loopDelayP99Ms,
      loopDelayP95Ms,
      (value) =>
        `worker ${id} was up to ${Math.round(value)} ms late to notice events (p99)${describePauses(worker)}: ${remedyFor(worker)}; latencies are upper bounds`,
    ),
    ...diagnoseLateness(
      scheduleLagP99Ms,
      scheduleLagP95Ms,
      (value) =>
        `worker ${id} started iterations up to ${Math.round(value)} ms late (p99): ${remedyFor(worker)}`,
    ),
  ];
}

function diagnoseLateness(
  p99Ms: number | null,
  p95Ms: number | null,
  explain: (value: number) => string,
): GeneratorFinding[] {
  if (p99Ms === null) return [];
  const isOften = p95Ms !== null && p95Ms >= lateBoundsMs.saturated;
  const bounds: FindingBounds = { strained: lateBoundsMs.strained, saturated: isOften ? 0 : Infinity };
  return checkBounds(p99Ms, bounds, explain);
}

/**
 * Returns a remedy. For a worker that was late but not busy, more workers or less load would change little.
 */
function remedyFor(worker: WorkerResult): string {
  return wasHeldUp(worker) ? heldUp : "add workers or lower the load";
}

/** Returns true if any worker noticed events late, for whatever reason, or if no delay is known. */
export function isAnyLate(workers: readonly WorkerResult[]): boolean {
  const known = workers.flatMap(({ loopDelayP99Ms }) => loopDelayP99Ms ?? []);
  return known.length === 0 || known.some((delayMs) => delayMs >= lateBoundsMs.strained);
}

/** True if a worker was late without being busy. */
function wasHeldUp(worker: WorkerResult): boolean {
  const { loopDelayP99Ms } = worker;
  return loopDelayP99Ms !== null && loopDelayP99Ms >= lateBoundsMs.strained && !isBusy(worker);
}

const heldUp =
  "the test's code blocked its thread, other processes took the CPU, or the process was suspended";

function isBusy({ utilization }: WorkerResult): boolean {
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

/**
 * Diagnoses all workers. A process that is held up delays all of them: describes the worst one, and lists the
 * others.
 */
export function diagnoseWorkers(workers: readonly WorkerResult[]): GeneratorFinding[] {
  const heldUp = workers
    .filter(wasHeldUp)
    .toSorted((a, b) => (b.loopDelayP99Ms ?? 0) - (a.loopDelayP99Ms ?? 0));
  const others = new Set(heldUp.slice(1));
  const findings = workers.filter((worker) => !others.has(worker)).flatMap(diagnoseWorker);
  if (others.size === 0) return findings;
  const ids = [...others].map(({ id }) => id).toSorted((a, b) => a - b);
  const isSaturated = [...others].flatMap(diagnoseWorker).some(({ severity }) => severity === "saturated");
  const who = ids.length === 1 ? `worker ${ids.join()} was` : `workers ${joinRanges(ids)} were`;
  return [
    ...findings,
    {
      severity: isSaturated ? "saturated" : "strained",
      reason: `${who} late too, but no more than worker ${heldUp[0]?.id ?? 0}`,
    },
  ];
}

/** Lists ascending numbers, with ranges such as `0 to 47`: merged shards have many workers. */
function joinRanges(ids: readonly number[]): string {
  const starts = ids.filter((id) => !ids.includes(id - 1));
  const ends = ids.filter((id) => !ids.includes(id + 1));
  const ranges = starts.map((start, index) => describeRange(start, ends[index] ?? start));
  return ranges.join(", ");
}

function describeRange(start: number, end: number): string {
  if (start === end) return String(start);
  return end === start + 1 ? `${start}, ${end}` : `${start} to ${end}`;
}

/** Iterations that the generator should have started. */
export interface LateDrops {
  /** Iterations dropped because the generator was too late; no measured time shows them. */
  readonly late: number;
  readonly scheduled: number;
}

const shareBounds: FindingBounds = { strained: 0, saturated: 0.01 };

/**
 * Diagnoses late drops: dropped iterations would have had the longest waits, so the times of the others look
 * too good.
 */
export function diagnoseLateDrops(
  { late, scheduled }: LateDrops,
  workers: readonly WorkerResult[],
): GeneratorFinding[] {
  if (late === 0) return [];
  const remedy = workers.some(isBusy) ? "add workers or lower the load" : heldUp;
  return checkBounds(
    late / Math.max(scheduled, late),
    shareBounds,
    () =>
      `the generator fell behind and dropped ${grouped(late)} of ${grouped(scheduled)} iterations: ${remedy}; the times are only those of the others`,
  );
}

/** Formats a count with separators: 2,400. */
function grouped(count: number): string {
  return count.toLocaleString("en-US");
}
