import type { PlannedRequest } from "./run-request.ts";

/** The last bit is waited for by the workers, whose timers are exact. */
const leadMs = 100;

/**
 * Waits until shortly before the start that several machines have in common, or until the user interrupts.
 * Returns the clock's time of that start; null without one; "interrupted" if the run is not to start.
 */
export async function awaitStart({
  clock,
  sharding: { startAtMs },
  interruptions,
  onWarning,
}: Pick<PlannedRequest, "clock" | "sharding" | "interruptions" | "onWarning">): Promise<
  number | "interrupted" | null
> {
  if (startAtMs === null) return null;
  // Asked again after the wait: the time of day may have been set meanwhile.
  const leftMs = (): number => startAtMs - clock.date().getTime();
  if (leftMs() > 1000) onWarning(`waiting ${(leftMs() / 1000).toFixed(0)} s for --start-at`);
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
