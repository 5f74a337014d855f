import type { Clock } from "@bearhug/plan/pacing/clock";

import type { VuTime } from "./vu-time.ts";

/**
 * The wait after the second failed iteration in a row, in which no connection opened; each further one adds
 * as much.
 */
const stepMs = 100;
const maxWaitMs = 2000;

/**
 * Keeps a VU of a closed model from trying a dead address in a busy loop. The wait is counted from the iteration's start
 * and lies between iterations, so that no measured time includes it.
 */
export class BackOff {
  readonly #clock: Clock;
  readonly #time: VuTime;
  #startedMs = 0;
  #hasFailed = false;
  #hasConnected = false;
  /** Consecutive iterations in which a connection failed and none succeeded. */
  #failuresInARow = 0;
  #wake: (() => void) | null = null;

  /** `time` records the waits. */
  constructor(clock: Clock, time: VuTime) {
    this.#clock = clock;
    this.#time = time;
  }

  startIteration(atMs: number): void {
    this.#startedMs = atMs;
    this.#hasFailed = false;
    this.#hasConnected = false;
  }

  /** Called when a request got a connection. */
  connected(): void {
    this.#hasConnected = true;
  }

  /** Called when a connection failed to open. */
  failed(): void {
    this.#hasFailed = true;
  }

  /**
   * Returns the wait before the next iteration; null if it may start at once. Call it once after each
   * iteration.
   */
  rest(): Promise<void> | null {
    if (this.#hasConnected) this.#failuresInARow = 0;
    if (!this.#hasFailed || this.#hasConnected) return null;
    this.#failuresInARow++;
    const untilMs = this.#startedMs + Math.min(stepMs * (this.#failuresInARow - 1), maxWaitMs);
    const sinceMs = this.#clock.now();
    if (untilMs <= sinceMs) return null;
    return new Promise((resolve) => {
      const cancel = this.#clock.at(untilMs, () => this.wake());
      this.#wake = () => {
        cancel();
        this.#time.backOff(sinceMs, this.#clock.now());
        resolve();
      };
    });
  }

  /** Ends the wait. */
  wake(): void {
    this.#wake?.();
    this.#wake = null;
  }
}
