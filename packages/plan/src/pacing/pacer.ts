import type { Clock } from "./clock.ts";

export interface Paced {
  readonly clock: Clock;
  /** The clock's time at which the event at this position (from 0) is due; Infinity past the last. */
  readonly dueMs: (position: number) => number;
  /** The clock's time at which the schedule ends. A pacer that is more than `latestCatchUpMs` late gives up what is still due. */
  readonly endMs: number;
  /** Calls back when nothing more is to be started, though the schedule is not over. */
  readonly onStop: (callback: () => void) => void;
  /** A nap, which takes no CPU, or a turn of the event loop went by in waiting alone, and took this long. */
  readonly onSpin?: (durationMs: number, isNap: boolean) => void;
  /** Called for each event that was due and was not started: the pacer came too late, or it was stopped. */
  readonly miss: (position: number, isLate: boolean) => void;
  /** Starts one event, at the moment `offeredMs`; what it throws stops the pacing. */
  readonly start: (position: number, intendedMs: number, offeredMs: number) => void;
}

/** With the system's slack it takes about a tenth of a millisecond, by which I/O may be told late. */
const napMs = 0.03;
/** Nearer events are waited for without a nap, which may take longer than was asked. */
const leastNappedMs = 0.2;

/** A turn shorter than this held no work of anybody's: an empty one takes some 2 µs, one with a response more than 10. */
const emptyTurnMs = 0.012;

/** Events due before the end are still started this long after it, so that a slightly late wake loses nothing. */
export const latestCatchUpMs = 100;

/** Timers may fire this late: nearer events are waited for turn by turn, so that I/O goes on meanwhile. */
const spinBelowMs = 1;

/**
 * Starts each event when it is due, and after a late wake everything due at once: none is skipped, none doubled, and what was
 * due when it stops is told. */
export function pace(paced: Paced): Promise<void> {
  return new Promise((resolve, reject) => {
    const pacer = new Pacer(paced, resolve, reject);
    paced.onStop(() => {
      pacer.finish(false);
    });
    pacer.wake(paced.clock.now());
  });
}

class Pacer {
  readonly #paced: Paced;
  readonly #resolve: () => void;
  readonly #reject: (error: Error) => void;
  #position = 0;
  #spinsFromMs = 0;
  #isDone = false;
  #disarm: () => void = () => undefined;

  constructor(paced: Paced, resolve: () => void, reject: (error: Error) => void) {
    this.#paced = paced;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  /** Nothing more is started. */
  finish(isLate: boolean): void {
    if (this.#isDone) return;
    this.#isDone = true;
    this.#disarm();
    const { clock, dueMs, miss } = this.#paced;
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

  /** Starts what is due by now. Returns the moment from which on there was nothing to do but wait. */
  #startDue(wokeMs: number): number {
    const { clock, dueMs, endMs, start } = this.#paced;
    let due = dueMs(this.#position);
    if (due > wokeMs) return wokeMs;
    for (; due <= wokeMs && !this.#isDone; due = dueMs(this.#position)) {
      // Those that are started before it in the same go make the later ones wait: that, too, is the generator's lateness.
      const offeredMs = clock.now();
      if (offeredMs > endMs + latestCatchUpMs) this.finish(true);
      else start(this.#position++, due, offeredMs);
    }
    return clock.now();
  }

  #waitForNext(fromMs: number): void {
    if (this.#isDone) return;
    const { clock, dueMs } = this.#paced;
    const due = dueMs(this.#position);
    const spinFromMs = due - spinBelowMs;
    if (due === Number.POSITIVE_INFINITY) this.finish(false);
    // Compared with the very number that the timer gets: one that fires on time must not be armed again.
    else if (fromMs >= spinFromMs) this.#spin(fromMs, due);
    else {
      this.#disarm = clock.at(spinFromMs, () => {
        this.wake(clock.now());
      });
    }
  }

  /**
   * Lets one turn of the event loop pass, after a nap: turn after turn without one would leave garbage to collect, and keep
   * other threads and a target on the same machine from the core. */
  #spin(fromMs: number, due: number): void {
    const { clock, onSpin } = this.#paced;
    this.#spinsFromMs = fromMs;
    if (due - fromMs > leastNappedMs) {
      clock.nap(napMs);
      this.#spinsFromMs = clock.now();
      onSpin?.(this.#spinsFromMs - fromMs, true);
    }
    clock.nextTurn(this.#endSpin);
  }

  /** Without work in the turn, it was nothing but waiting, our own looking included. */
  readonly #endSpin = (): void => {
    const { clock, onSpin } = this.#paced;
    const nowMs = clock.now();
    const tookMs = nowMs - this.#spinsFromMs;
    if (tookMs < emptyTurnMs) onSpin?.(tookMs, false);
    this.wake(nowMs);
  };
}
