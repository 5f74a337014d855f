import { describeLongDuration } from "@bearhug/sdk/internal";
import { exitCodes } from "@bearhug/text/exit-codes";

import { gap, type Ending, type Reason } from "./ending.ts";

/** Machines that start so much apart still apply one load. */
export const mostLateMs = 1000;

/** A load that began long after the start that several machines had in common: it was not the one that was planned. */
export function lateStart(ending: Ending): Reason[] {
  const { lateMs } = ending;
  if (lateMs <= mostLateMs) return [];
  return [gap(`the load ${describeLateness(lateMs)}`, ending)];
}

/** The rest of a sentence about a load that began late. */
export function describeLateness(lateMs: number): string {
  return `began ${formatLateness(lateMs)} after the common start; arrivals due before were dropped`;
}

/** Seconds; milliseconds below one, and hours and minutes from a minute on. */
export function formatLateness(lateMs: number): string {
  if (lateMs >= 60_000) return describeLongDuration(lateMs);
  return lateMs < 1000 ? `${lateMs.toFixed(0)} ms` : `${(lateMs / 1000).toFixed(1)} s`;
}

/** A shard is not judged by its part of the samples. */
export function unjudgedShard({ shard }: Ending): Reason[] {
  if (shard === null) return [];
  const message = `part ${shard.index + 1} of ${shard.count}; thresholds are judged when all parts are merged`;
  return [{ code: exitCodes.passed, message }];
}
