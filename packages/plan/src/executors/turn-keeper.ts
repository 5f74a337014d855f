import type { Clock } from "../pacing/clock.ts";

/**
 * Iterations without I/O would never let the event loop turn; after this long without a turn, one is
 * requested.
 */
const longestTurnMs = 5;

/** Lets the event loop turn between iterations; shared by all virtual users that could block it. */
export class TurnKeeper {
  readonly #clock: Clock;
  #sinceMs: number;
  #isTurnRequested = false;
  #next: Promise<void> | null = null;
  #resume: (() => void) | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#sinceMs = clock.now();
  }

  /**
   * Returns null while iterations may go on; otherwise a promise, which resolves for all waiting VUs in the
   * same later turn. VUs that wait for a server let the loop turn anyway: the requested turn then comes
   * before any VU has to wait for it. Called right after the end of an iteration was read from the clock.
   */
  due(): Promise<void> | null {
    const nowMs = this.#clock.latest();
    if (nowMs - this.#sinceMs < longestTurnMs) return null;
    if (!this.#isTurnRequested) {
      this.#isTurnRequested = true;
      this.#sinceMs = nowMs;
      this.#clock.nextTurn(() => this.#turn());
      return null;
    }
    return (this.#next ??= new Promise((resolve) => {
      this.#resume = resolve;
    }));
  }

  #turn(): void {
    this.#isTurnRequested = false;
    this.#sinceMs = this.#clock.now();
    this.#next = null;
    this.#resume?.();
    this.#resume = null;
  }
}
