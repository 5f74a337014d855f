import type { Clock } from "@bearhug/plan/pacing/clock";

import type { VuTime } from "./vu-time.ts";

/** Wait after the second iteration in a row in which no connection opened; after each further one it is as much longer. */
const stepMs = 100;
const longestMs = 2000;

/**
 * Keeps a VU of a closed model from trying a dead address in a busy loop. The wait is counted from the iteration's start
 * and lies between iterations, so that no measured time has it in it.
 */
export class BackOff {
  readonly #clock: Clock;
  readonly #time: VuTime;
  #startedMs = 0;
  #hasFailed = false;
  #hasConnected = false;
  /** Iterations in a row in which a connection failed and none was had. */
  #inARow = 0;
  #wake: (() => void) | null = null;

  /** `time` takes the waits. */
  constructor(clock: Clock, time: VuTime) {
    this.#clock = clock;
    this.#time = time;
  }

  startIteration(atMs: number): void {
    this.#startedMs = atMs;
    this.#hasFailed = false;
    this.#hasConnected = false;
  }

  /** A request had a connection. */
  connected(): void {
    this.#hasConnected = true;
  }

  /** A connection did not open. */
  failed(): void {
    this.#hasFailed = true;
  }

  /** To be called after each iteration; null where the next one may start at once. */
  rest(): Promise<void> | null {
    if (this.#hasConnected) this.#inARow = 0;
    if (!this.#hasFailed || this.#hasConnected) return null;
    this.#inARow++;
    const untilMs = this.#startedMs + Math.min(stepMs * (this.#inARow - 1), longestMs);
    const sinceMs = this.#clock.now();
    if (untilMs <= sinceMs) return null;
    return new Promise((resolve) => {
      const cancel = this.#clock.at(untilMs, () => {
        this.wake();
      });
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
