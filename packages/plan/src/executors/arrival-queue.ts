import type { IterationStart } from "./scenario-share.ts";

/** More than this wait for nothing that anybody would wait for, and memory is not for them. */
export const longestQueue = 250_000;

/** Arrivals that wait for a free VU, first come, first served. */
export class ArrivalQueue {
  #waiting: IterationStart[] = [];
  #served = 0;

  get length(): number {
    return this.#waiting.length - this.#served;
  }

  /** False when there is no room left. */
  join(arrival: IterationStart): boolean {
    if (this.length >= longestQueue) return false;
    this.#waiting.push(arrival);
    return true;
  }

  next(): IterationStart | undefined {
    const arrival = this.#waiting[this.#served];
    if (arrival === undefined) return undefined;
    this.#served++;
    // Moved together once in a while: taking one from the front each time would move all the others.
    if (this.#served * 2 > this.#waiting.length && this.#served > 1000) {
      this.#waiting = this.#waiting.slice(this.#served);
      this.#served = 0;
    }
    return arrival;
  }

  /** Everybody who still waits, who then no longer does. */
  leave(): IterationStart[] {
    const waiting = this.#waiting.slice(this.#served);
    this.#waiting = [];
    this.#served = 0;
    return waiting;
  }
}
