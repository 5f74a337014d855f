import type { IterationStart } from "./scenario-share.ts";

/**
 * The most arrivals that may wait. Later ones would not be served in any useful time, and would only take
 * memory.
 */
export const longestQueue = 250_000;

/** Arrivals that wait for a free VU, first come, first served. */
export class ArrivalQueue {
  #waiting: IterationStart[] = [];
  #served = 0;

  get length(): number {
    return this.#waiting.length - this.#served;
  }

  /** Adds an arrival; returns false if the queue is full. */
  join(arrival: IterationStart): boolean {
    if (this.length >= longestQueue) return false;
    this.#waiting.push(arrival);
    return true;
  }

  next(): IterationStart | undefined {
    const arrival = this.#waiting[this.#served];
    if (arrival === undefined) return undefined;
    this.#served++;
    // The array is compacted once in a while: removing one element from the front each time would move all
    // the others.
    if (this.#served * 2 > this.#waiting.length && this.#served > 1000) {
      this.#waiting = this.#waiting.slice(this.#served);
      this.#served = 0;
    }
    return arrival;
  }

  /** Empties the queue and returns the arrivals that were still waiting. */
  drain(): IterationStart[] {
    const waiting = this.#waiting.slice(this.#served);
    this.#waiting = [];
    this.#served = 0;
    return waiting;
  }
}
