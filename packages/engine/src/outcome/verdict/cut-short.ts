import { exitCodes } from "@bearhug/metrics/results/exit-codes";
import { endedByLimit, endedByThreshold } from "@bearhug/metrics/results/reason-words";
import { atPosition } from "@bearhug/metrics/results/source-position";

import { runLimits } from "../run-limits.ts";
import type { RunState } from "../run-state.ts";
import { failure, note, gap, wasCutShort, type Ending, type Reason } from "./ending.ts";

export function killedProcess(ending: Ending): Reason[] {
  const { isTruncated, damage = null, isLoadOver } = ending;
  if (!isTruncated) return [];
  const what = damage === null ? "the run was killed" : `the recording is damaged ${damage.where},`;
  const rest = isLoadOver
    ? ""
    : "; these are the results recorded until then, and thresholds were not evaluated";
  return [{ code: exitCodes.workerLost, message: `${what} ${describeMoment(ending)}${rest}` }];
}

/** Describes the moment at which the records of a run end. */
export function describeMoment({
  isLoadOver,
  durationMs,
  interruptedBy,
  abortReason,
}: Pick<RunState, "isLoadOver" | "durationMs" | "interruptedBy" | "abortReason">): string {
  if (isLoadOver) {
    const isComplete = interruptedBy === null && abortReason === null;
    return `in teardown, after the load ${isComplete ? "was complete" : "had ended"}`;
  }
  return durationMs === 0
    ? "before anything was measured"
    : `after ${(durationMs / 1000).toFixed(0)} s of load`;
}

/** The reason of a worker that was lost with its process, which is reported once, for the process. */
export const killedWithProcess = "killed with the process";

/**
 * The start of the reason of a worker that was lost with its whole shard, which is reported once, for the
 * shard.
 */
export const lostWithShard = "its whole shard was lost";

/** In the reason of a lost worker, these words precede the name of the scenario whose code ran last. */
export const inScenario = " in scenario ";

/**
 * True for a worker that was lost with its shard. Compares the start of the text, because a merge appends the
 * shard.
 */
export function isLostWithShard(reason: string): boolean {
  return reason.startsWith(lostWithShard);
}

export function lostWorkers({ workers, scenarios }: Ending): Reason[] {
  return workers.flatMap(({ id, lost }) => {
    if (lost === null || lost === killedWithProcess || isLostWithShard(lost)) return [];
    // A lost worker leaves no stack, so its scenario is the best place.
    const scenario = scenarios.find(({ name }) => lost.endsWith(inScenario + name));
    const message = `worker ${id} was lost: ${lost}${atPosition(scenario?.source)}`;
    return [{ code: exitCodes.workerLost, message }];
  });
}

/** Reports parts that are missing in a run of several machines. */
export function incompleteMerge(ending: Ending): Reason[] {
  const { gaps = [], acceptedGaps = [] } = ending;
  return [
    ...gaps.map((message) => gap(message, ending)),
    ...acceptedGaps.map((message) => gap(message, { allowsPartial: true })),
  ];
}

export function interruptedLoad({ interruptedBy }: Ending): Reason[] {
  if (interruptedBy === null) return [];
  const message = `interrupted by ${interruptedBy}; thresholds were not evaluated`;
  return [{ code: exitCodes.interrupted, message }];
}

/**
 * Reports a signal during teardown. A complete load is still judged; if teardown was cut off, the run is
 * interrupted.
 */
export function signalledTeardown({ teardownSignal, interruptedBy }: Ending): Reason[] {
  if (teardownSignal === null) return [];
  const { signal, hasCutOff } = teardownSignal;
  if (!hasCutOff) {
    const message = `${signal} arrived after the load had ended; teardown ran to completion`;
    return [note(message)];
  }
  const message =
    interruptedBy === null
      ? `interrupted by ${signal} in teardown, after the load ended; teardown was cut off`
      : "a second signal arrived; teardown was cut off";
  return [{ code: exitCodes.interrupted, message }];
}

export function abortedByTest({ abortReason }: Ending): Reason[] {
  if (abortReason === null) return [];
  return [{ code: exitCodes.abortedByTest, message: `aborted by the test: ${abortReason}` }];
}

/**
 * Notes that a threshold ended the load early, which explains the duration of the run. Fails the run if all
 * thresholds hold at its end: samples that arrived after the decision do not replace the rest of the load.
 */
export function abortedByThreshold(ending: Ending): Reason[] {
  const { abortedBy, shard, thresholds } = ending;
  if (abortedBy === null) return [];
  const message = `${endedByThreshold}${abortedBy} failed`;
  const isJudged = shard === null && !wasCutShort(ending);
  if (!isJudged || thresholds.some(({ passed }) => passed === false)) return [note(message)];
  return [failure(`${message}; it held again at the end, but the rest of the load is missing`)];
}

export function reachedLimit({ endedBy, shard }: Ending): Reason[] {
  if (endedBy === null) return [];
  const { flag } = runLimits[endedBy];
  const limit =
    shard === null ? `the run reached its ${flag} limit` : `the shard reached its part of ${flag}`;
  return [note(`${endedByLimit}${limit}`)];
}
