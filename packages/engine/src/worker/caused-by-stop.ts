import { readProperty } from "@bearhug/plan/protocol/read-thrown";
import { StopSignal } from "@bearhug/sdk";

/** Longer chains of causes are not followed: they may be circular. */
const maxCauses = 8;

/** True for the signal of the hard stop, even if a test or `fetch` has wrapped it in one or more errors. */
export function isCausedByStop(error: unknown): boolean {
  let cause = error;
  for (let depth = 0; depth <= maxCauses && cause !== undefined; depth++) {
    if (StopSignal.isStopSignal(cause)) return true;
    cause = readProperty(cause, "cause");
  }
  return false;
}
