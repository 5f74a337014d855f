import { exitCodes } from "../../exit-codes.ts";
import type { Ending, Reason } from "./ending.ts";

/** The reason of a worker that was lost with its process, which is said once, for the process. */
export const killedWithProcess = "killed with the process";

export function killedProcess(ending: Ending): Reason[] {
  const { isTruncated, isLoadOver, durationMs, interruptedBy, abortReason } = ending;
  if (!isTruncated) return [];
  if (isLoadOver) {
    const isComplete = interruptedBy === null && abortReason === null;
    const message = `the run was killed in teardown, after the load ${isComplete ? "was complete" : "had ended"}`;
    return [{ code: exitCodes.workerLost, message }];
  }
  const when =
    durationMs === 0 ? "before anything was measured" : `after ${(durationMs / 1000).toFixed(0)} s of load`;
  const message = `the run was killed ${when}; these are the results recorded until then, and thresholds were not evaluated`;
  return [{ code: exitCodes.workerLost, message }];
}

/** The beginning of the reason of a worker that was lost with its whole shard. */
export const killedWithShard = "its process was killed";

export function lostWorkers({ workers, allowsPartial }: Ending): Reason[] {
  return workers.flatMap(({ id, lost }) => {
    if (lost === null || lost === killedWithProcess) return [];
    const isAllowed = allowsPartial && lost.startsWith(killedWithShard);
    const code = isAllowed ? exitCodes.passed : exitCodes.workerLost;
    return [{ code, message: `worker ${id} was lost: ${lost}` }];
  });
}

export function interruptedLoad({ interruptedBy }: Ending): Reason[] {
  if (interruptedBy === null) return [];
  const message = `interrupted by ${interruptedBy}; thresholds were not evaluated`;
  return [{ code: exitCodes.interrupted, message }];
}

/** A load that was complete is judged. A run whose teardown was cut off is not complete, whatever its load came to. */
export function signalledTeardown({ teardownSignal, interruptedBy }: Ending): Reason[] {
  if (teardownSignal === null) return [];
  const { signal, hasCutOff } = teardownSignal;
  if (!hasCutOff) {
    const message = `${signal} arrived after the load had ended; teardown ran to completion`;
    return [{ code: exitCodes.passed, message }];
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

export function receivedEnough({ hasReceivedEnough, shard }: Ending): Reason[] {
  if (!hasReceivedEnough) return [];
  const limit =
    shard === null ? "the run reached its --max-data limit" : "the shard reached its part of --max-data";
  return [{ code: exitCodes.passed, message: `ended early: ${limit}` }];
}
