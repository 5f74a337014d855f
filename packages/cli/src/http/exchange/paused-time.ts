/** Shorter pauses are those of a reader that is busy with what it has: else a response without end would never time out. */
const leastPauseMs = 100;

/** The time for which a reader has held a response back, in ms. */
export class PausedTime {
  #sumMs = 0;
  #sinceMs: number = Number.NaN;
  #grantedMs = 0;

  get isRunning(): boolean {
    return !Number.isNaN(this.#sinceMs);
  }

  begin(nowMs: number): void {
    this.#sinceMs = nowMs;
  }

  end(nowMs: number): void {
    this.#sumMs = this.until(nowMs);
    this.#sinceMs = Number.NaN;
  }

  /** All of it, the pause that still goes on included. */
  until(nowMs: number): number {
    const lastMs = this.isRunning ? nowMs - this.#sinceMs : 0;
    return lastMs < leastPauseMs ? this.#sumMs : this.#sumMs + lastMs;
  }

  /** Returns the paused time since the last call, in ms: a deadline is put off by it. */
  grant(nowMs: number): number {
    const newMs = this.until(nowMs) - this.#grantedMs;
    this.#grantedMs += newMs;
    return newMs;
  }
}
