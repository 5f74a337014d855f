import { exitCodes } from "../../exit-codes.ts";
import { wasCutShort, type Ending, type Reason } from "./ending.ts";

/** Every request that a worker starts ends in one of its counts, unless the worker dies. */
export function lostRequests(ending: Ending): Reason[] {
  const { accounting, workers, killed, interruptedBy, abortReason } = ending;
  const lost = accounting.requests.reduce((sum, row) => sum + row.lost, 0);
  const isCutShort = killed !== null || interruptedBy !== null || abortReason !== null;
  if (lost === 0 || isCutShort || workers.some((worker) => worker.lost !== null)) return [];
  const requests = lost === 1 ? "1 request was started and" : `${lost} requests were started and`;
  return [{ code: exitCodes.bug, message: `${requests} never ended: a bug in bearhug, please report it` }];
}

export function nothingSucceeded({ accounting }: Ending): Reason[] {
  const made = accounting.requests.reduce((sum, { succeeded, failed }) => sum + succeeded + failed, 0);
  const succeeded = accounting.requests.reduce((sum, request) => sum + request.succeeded, 0);
  if (made === 0 || succeeded > 0) return [];
  return [{ code: exitCodes.thresholdsFailed, message: `not one of ${made} requests succeeded` }];
}

/** A load that was over before its warm-up was says nothing about the target. Whoever ended it early knows that. */
export function nothingMeasured(ending: Ending): Reason[] {
  const { warmup, iterations } = ending.accounting;
  if (wasCutShort(ending) || warmup === null) return [];
  if (warmup.iterations.started === 0 || iterations.scheduled > 0) return [];
  const message = "nothing was measured: the load was over within its warm-up";
  return [{ code: exitCodes.thresholdsFailed, message }];
}
