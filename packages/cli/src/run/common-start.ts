import { describeLongDuration } from "@bearhug/sdk/internal";

import type { PlannedRequest } from "./run-request.ts";

/** The last bit is waited for by the workers, whose timers are exact. */
const leadMs = 100;

/**
 * Waits until shortly before the start that several machines have in common, or until the user interrupts.
 * Returns the clock's time of that start; null without one; "interrupted" if the run is not to start.
 */
export async function awaitStart(
  request: Pick<PlannedRequest, "clock" | "sharding" | "interruptions" | "onWarning" | "lead">,
): Promise<number | "interrupted" | null> {
  const { clock, sharding, interruptions, onWarning, lead } = request;
  const { startAtMs } = sharding;
  if (lead !== null) {
    const atMs = await Promise.race([lead.awaitStart(), interruptions.first]);
    return atMs === undefined ? "interrupted" : waitUntilNear(request, () => atMs - clock.now());
  }
  if (startAtMs === null) return null;
  // Asked again after the wait: the time of day may have been set meanwhile.
  const leftMs = (): number => startAtMs - clock.date().getTime();
  if (leftMs() > 1000) onWarning(`waiting ${describeWait(leftMs())} for --start-at`);
  return waitUntilNear(request, leftMs);
}

function describeWait(ms: number): string {
  return ms < 60_000 ? `${(ms / 1000).toFixed(0)} s` : describeLongDuration(ms);
}

async function waitUntilNear(
  { clock, interruptions }: Pick<PlannedRequest, "clock" | "interruptions">,
  leftMs: () => number,
): Promise<number | "interrupted"> {
  while (leftMs() > leadMs && !interruptions.isInterrupted) {
    let forget: () => void = () => undefined;
    const isNear = new Promise<void>((resolve) => {
      forget = clock.at(clock.now() + leftMs() - leadMs, resolve);
    });
    await Promise.race([isNear, interruptions.first]);
    forget();
  }
  return interruptions.isInterrupted ? "interrupted" : clock.now() + leftMs();
}
