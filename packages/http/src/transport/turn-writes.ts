import type { Clock } from "@bearhug/plan/pacing/clock";

/** A connection that has a request to write. */
export interface TurnWriter {
  writeNow(): void;
}

/**
 * Writes the requests that start in one turn of the event loop: the first at once, the others back to back when the turn
 * is over. Between writes that lie apart the server would run dry, and its processor sleep: each write would have to wake
 * it, which takes longer than all else that a request costs.
 */
export class TurnWrites {
  readonly #clock: Clock;
  #waiting: TurnWriter[] = [];
  /** Empty: taken in turns, so that a turn makes no list of its own. */
  #spare: TurnWriter[] = [];
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
    if (this.#hasWritten) {
      this.#waiting.push(writer);
      return;
    }
    // A single connection has nothing to wait for.
    if (this.#connections > 1) {
      this.#hasWritten = true;
      this.#clock.nextTurn(this.#endTurn);
    }
    writer.writeNow();
  }

  readonly #endTurn = (): void => {
    this.#hasWritten = false;
    const waiting = this.#waiting;
    this.#waiting = this.#spare;
    this.#spare = waiting;
    for (const writer of waiting) writer.writeNow();
    waiting.length = 0;
  };
}
