import { withCauses } from "@bearhug/plan/protocol/read-thrown";
import { StopSignal } from "@bearhug/sdk";

/** True for the signal of the hard stop, even if a test or `fetch` has wrapped it in one or more errors. */
export function isCausedByStop(error: unknown): boolean {
  return withCauses(error).some((cause) => StopSignal.isStopSignal(cause));
}
