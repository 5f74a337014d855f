import { describeLongDuration } from "@bearhug/text/duration";

import { note, gap, type Ending, type Reason } from "./ending.ts";

/** Machines whose starts differ by no more than this still apply one load. */
export const maxLateMs = 1000;

/** Reports a load that began long after the common start of several machines: it was not the planned load. */
export function lateStart(ending: Ending): Reason[] {
  const { lateMs } = ending;
  if (lateMs <= maxLateMs) return [];
  return [gap(`the load ${describeLateness(lateMs)}`, ending)];
}

/** Returns the rest of a sentence about a load that began late. */
export function describeLateness(lateMs: number): string {
  return `began ${formatLateness(lateMs)} after the common start; arrivals due before were dropped`;
}

/** Formats a time as seconds, below one as milliseconds, from a minute on as minutes and hours. */
export function formatLateness(lateMs: number): string {
  if (lateMs >= 60_000) return describeLongDuration(lateMs);
  return lateMs < 1000 ? `${lateMs.toFixed(0)} ms` : `${(lateMs / 1000).toFixed(1)} s`;
}

/** Notes that a shard is not judged by its part of the samples. */
export function unjudgedShard({ shard }: Ending): Reason[] {
  if (shard === null) return [];
  const message = `part ${shard.index + 1} of ${shard.count}; thresholds are judged when all parts are merged`;
  return [note(message)];
}
