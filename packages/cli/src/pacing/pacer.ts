import type { Clock } from "./clock.ts";

export interface Paced {
  readonly clock: Clock;
  /** When the event at this position (from 0) is due, by the clock; Infinity past the last. */
  readonly dueMs: (position: number) => number;
  /** When the schedule is over, by the clock: a pacer that is later than `latestCatchUpMs` then gives up what is still due. */
  readonly endMs: number;
  /** Calls back when nothing more is to be started, though the schedule is not over. */
  readonly onStop: (callback: () => void) => void;
  /** A turn of the event loop went by in waiting alone, and took this long. */
  readonly onSpin?: (durationMs: number) => void;
  /** When pacing stops or gives up, called for each event that was due by then and was not started. */
  readonly miss: (position: number) => void;
  /** Starts one event; what it throws stops the pacing. */
  readonly start: (position: number, intendedMs: number, wokeMs: number) => void;
}

/** A turn shorter than this held no work of anybody's. */
const emptyTurnMs = 0.05;

/** What was due before the end is still started this long after it: a wake that comes a little late loses nothing. */
export const latestCatchUpMs = 100;

/** Timers may fire this late: nearer events are waited for turn by turn, so that I/O goes on meanwhile. */
const spinBelowMs = 1;

/**
 * Starts each event when it is due, and after a late wake everything due at once: none is skipped, none doubled, and what was
 * due when it stops is told. */
export function pace({ clock, dueMs, endMs, onStop, onSpin, miss, start }: Paced): Promise<void> {
  return new Promise((resolve, reject) => {
    let position = 0;
    let isDone = false;
    let disarm: () => void = () => undefined;
    const finish = (): void => {
      if (isDone) return;
      isDone = true;
      disarm();
      const nowMs = clock.now();
      while (dueMs(position) <= nowMs) miss(position++);
      resolve();
    };
    const wake = (): void => {
      if (isDone) return;
      const wokeMs = clock.now();
      try {
        for (let due = dueMs(position); due <= wokeMs && !hasStopped(); due = dueMs(position)) {
          if (clock.now() > endMs + latestCatchUpMs) finish();
          else start(position++, due, wokeMs);
        }
      } catch (error) {
        isDone = true;
        reject(error instanceof Error ? error : new Error(String(error)));
        return;
      }
      if (!hasStopped()) waitForNext();
    };
    const hasStopped = (): boolean => isDone;
    const waitForNext = (): void => {
      const due = dueMs(position);
      const spinFromMs = due - spinBelowMs;
      if (due === Number.POSITIVE_INFINITY) finish();
      // Compared with the very number that the timer gets: one that fires on time must not be armed again.
      else if (clock.now() >= spinFromMs) spin(clock, wake, onSpin);
      else disarm = clock.at(spinFromMs, wake);
    };
    onStop(finish);
    wake();
  });
}

/** Waits for one turn of the event loop, and tells when there was nothing else in it. */
function spin(clock: Clock, wake: () => void, onSpin: Paced["onSpin"]): void {
  const beganMs = clock.now();
  void clock.nextTurn().then(() => {
    const tookMs = clock.now() - beganMs;
    if (tookMs < emptyTurnMs) onSpin?.(tookMs);
    wake();
  });
}
