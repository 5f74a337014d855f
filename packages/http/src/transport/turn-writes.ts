import type { Clock } from "@bearhug/plan/pacing/clock";

/** A connection that has a request to write. */
export interface TurnWriter {
  writeNow(): void;
}

/** Those that come later in a turn, because the test's own code takes long, let all be written that have waited so long, in ms. */
const longestWaitMs = 1;

/**
 * Writes the requests that start in one turn of the event loop: the first at once, the others back to back when the turn
 * is over. Between writes that lie apart the server would run dry, and its processor sleep: each write would have to wake
 * it, which takes longer than all else that a request costs.
 */
export class TurnWrites {
  readonly #clock: Clock;
  #waiting: TurnWriter[] = [];
  /** When the first of those that wait began to, by the clock. */
  #waitingSinceMs = 0;
  #hasWritten = false;
  #connections = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  opened(): void {
    this.#connections++;
  }

  closed(): void {
    this.#connections--;
  }

  add(writer: TurnWriter): void {
    if (this.#hasWritten) this.#wait(writer);
    else {
      // A single connection has nothing to wait for.
      if (this.#connections > 1) {
        this.#hasWritten = true;
        this.#clock.nextTurn(this.#endTurn);
      }
      writer.writeNow();
    }
  }

  #wait(writer: TurnWriter): void {
    const nowMs = this.#clock.now();
    if (this.#waiting.length === 0) this.#waitingSinceMs = nowMs;
    this.#waiting.push(writer);
    if (nowMs - this.#waitingSinceMs >= longestWaitMs) this.#writeAll();
  }

  readonly #endTurn = (): void => {
    this.#hasWritten = false;
    this.#writeAll();
  };

  #writeAll(): void {
    const waiting = this.#waiting;
    if (waiting.length === 0) return;
    // A request that fails at once may make room for another, which joins no list that is being written.
    this.#waiting = [];
    for (const writer of waiting) writer.writeNow();
  }
}
