import type { Clock } from "@bearhug/plan/pacing/clock";

/** A connection that has a request to write. */
export interface TurnWriter {
  /** `atMs`: the clock's time, or null if it was not just read. Returns the time after the write, or null. */
  writeNow(atMs: number | null): number | null;
}

/**
 * If the test's own code makes a turn long, the next request to start flushes those that have waited this
 * long, in ms.
 */
const longestWaitMs = 1;

/**
 * Writes the requests that start in one turn of the event loop: the first at once, the others back to back
 * when the turn is over. Between separate writes the server would run out of work and its processor would
 * sleep; waking it for each write would take longer than the rest of a request.
 */
export class TurnWrites {
  readonly #clock: Clock;
  #waiting: TurnWriter[] = [];
  /** When the first waiting request was added, by the clock. */
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

  /** Called when a request has just begun, or when the end of another has just been read. */
  add(writer: TurnWriter): void {
    if (this.#hasWritten) this.#wait(writer);
    else {
      // With a single connection there is nothing to batch.
      if (this.#connections > 1) {
        this.#hasWritten = true;
        this.#clock.nextTurn(this.#endTurn);
      }
      writer.writeNow(null);
    }
  }

  #wait(writer: TurnWriter): void {
    const nowMs = this.#clock.latest();
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
    // A request that fails at once may start another, which must not join the list that is being written.
    this.#waiting = [];
    let atMs: number | null = null;
    for (const writer of waiting) atMs = writer.writeNow(atMs);
  }
}
