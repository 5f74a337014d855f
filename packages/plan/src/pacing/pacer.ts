import type { Clock } from "./clock.ts";

export interface PaceOptions {
  readonly clock: Clock;
  /** The clock's time at which the event at this position (from 0) is due; Infinity past the last. */
  readonly dueMs: (position: number) => number;
  /**
   * The clock's time at which the schedule ends. A pacer that is still behind `latestCatchUpMs` later gives
   * up the events that are due.
   */
  readonly endMs: number;
  /** Registers a callback for the case that pacing is stopped before the schedule ends. */
  readonly onStop: (callback: () => void) => void;
  /** Called after a wait without work: a nap, which takes no CPU, or an empty turn of the event loop. */
  readonly onSpin?: (durationMs: number, isNap: boolean) => void;
  /** Called for each event that was due but not started: the pacer was too late, or it was stopped. */
  readonly miss: (position: number, isLate: boolean) => void;
  /** Starts one event, at the moment `offeredMs`. If it throws, pacing stops. */
  readonly start: (position: number, intendedMs: number, offeredMs: number) => void;
}

/**
 * The requested length of a nap. With the system's timer slack it takes about 0.1 ms, and may delay I/O by as
 * much.
 */
const napMs = 0.03;
/** Closer events are awaited without a nap, because a nap may take longer than requested. */
const minNappedMs = 0.2;

/**
 * A shorter turn of the event loop did no work: an empty one takes some 2 µs, one with a response more than
 * 10 µs.
 */
const emptyTurnMs = 0.012;

/**
 * Events due before the end are still started this long after it, so that a slightly late wake loses none.
 */
export const latestCatchUpMs = 100;

/** Timers may fire this late. Closer events are awaited turn by turn, so that I/O goes on meanwhile. */
const spinBelowMs = 1;

/**
 * Starts each event when it is due, and all due events at once after a late wake. No event is skipped or
 * started twice; those that are due when it stops are passed to `miss`.
 */
export function pace(options: PaceOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const pacer = new Pacer(options, resolve, reject);
    options.onStop(() => pacer.finish(false));
    pacer.wake(options.clock.now());
  });
}

class Pacer {
  readonly #options: PaceOptions;
  readonly #resolve: () => void;
  readonly #reject: (error: Error) => void;
  #position = 0;
  #spinsFromMs = 0;
  #isDone = false;
  #disarm: () => void = () => undefined;

  constructor(options: PaceOptions, resolve: () => void, reject: (error: Error) => void) {
    this.#options = options;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  /** Stops pacing, and misses the events that are due by now. */
  finish(isLate: boolean): void {
    if (this.#isDone) return;
    this.#isDone = true;
    this.#disarm();
    const { clock, dueMs, miss } = this.#options;
    const nowMs = clock.now();
    while (dueMs(this.#position) <= nowMs) miss(this.#position++, isLate);
    this.#resolve();
  }

  wake(wokeMs: number): void {
    try {
      this.#waitForNext(this.#startDue(wokeMs));
    } catch (error) {
      this.#isDone = true;
      this.#reject(error instanceof Error ? error : new Error(String(error)));
    }
  }

  /**
   * Starts the events that are due by now. Returns the moment from which on there was nothing to do but wait.
   */
  #startDue(wokeMs: number): number {
    const { clock, dueMs, endMs, start } = this.#options;
    let due = dueMs(this.#position);
    if (due > wokeMs) return wokeMs;
    for (; due <= wokeMs && !this.#isDone; due = dueMs(this.#position)) {
      // Read for each event: the starts before it in this loop delay it, and that is the generator's lateness
      // too.
      const offeredMs = clock.now();
      if (offeredMs > endMs + latestCatchUpMs) this.finish(true);
      else start(this.#position++, due, offeredMs);
    }
    return clock.now();
  }

  #waitForNext(fromMs: number): void {
    if (this.#isDone) return;
    const { clock, dueMs } = this.#options;
    const due = dueMs(this.#position);
    const spinFromMs = due - spinBelowMs;
    if (due === Number.POSITIVE_INFINITY) this.finish(false);
    // Compares with the timer's own deadline, so that a timer that fires on time is not armed again.
    else if (fromMs >= spinFromMs) this.#spin(fromMs, due);
    else {
      this.#disarm = clock.at(spinFromMs, () => this.wake(clock.now()));
    }
  }

  /**
   * Lets one turn of the event loop pass, after a nap if there is time for one. Turns without naps would
   * produce garbage, and keep the core from other threads and from a target on the same machine.
   */
  #spin(fromMs: number, due: number): void {
    const { clock, onSpin } = this.#options;
    this.#spinsFromMs = fromMs;
    if (due - fromMs > minNappedMs) {
      clock.nap(napMs);
      this.#spinsFromMs = clock.now();
      onSpin?.(this.#spinsFromMs - fromMs, true);
    }
    clock.nextTurn(this.#endSpin);
  }

  /** A turn without work was nothing but waiting, including the time that the pacer itself took. */
  readonly #endSpin = (): void => {
    const { clock, onSpin } = this.#options;
    const nowMs = clock.now();
    const tookMs = nowMs - this.#spinsFromMs;
    if (tookMs < emptyTurnMs) onSpin?.(tookMs, false);
    this.wake(nowMs);
  };
}
