import type { Clock } from "../pacing/clock.ts";

/** Without I/O in iterations nothing else would get its turn; after this long without one, a turn is asked for. */
const longestTurnMs = 5;

/** Gives the event loop its turn between iterations; shared by all virtual users that could hold it up. */
export class TurnKeeper {
  readonly #clock: Clock;
  #sinceMs: number;
  #isTurnAsked = false;
  #next: Promise<void> | null = null;
  #goOn: (() => void) | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#sinceMs = clock.now();
  }

  /**
   * Returns null while the turn may go on; else what to wait for, which ends for all who wait in the same later turn. Who
   * waits for a server lets the loop turn by that: a turn that is asked for then comes before anybody has to wait for it.
   */
  due(): Promise<void> | null {
    const nowMs = this.#clock.now();
    if (nowMs - this.#sinceMs < longestTurnMs) return null;
    if (!this.#isTurnAsked) {
      this.#isTurnAsked = true;
      this.#sinceMs = nowMs;
      this.#clock.nextTurn(() => {
        this.#turn();
      });
      return null;
    }
    return (this.#next ??= new Promise((resolve) => {
      this.#goOn = resolve;
    }));
  }

  #turn(): void {
    this.#isTurnAsked = false;
    this.#sinceMs = this.#clock.now();
    this.#next = null;
    this.#goOn?.();
    this.#goOn = null;
  }
}
