import { readProperty } from "@bearhug/plan/protocol/read-thrown";
import { StopSignal } from "@bearhug/sdk";

/** Longer chains of causes are not followed: they may be circular. */
const mostCauses = 8;

/** True for the signal of the hard stop, also where a test or `fetch` wrapped it in an error, or several times. */
export function isCausedByStop(error: unknown): boolean {
  let cause = error;
  for (let depth = 0; depth <= mostCauses && cause !== undefined; depth++) {
    if (StopSignal.isStopSignal(cause)) return true;
    cause = readProperty(cause, "cause");
  }
  return false;
}
