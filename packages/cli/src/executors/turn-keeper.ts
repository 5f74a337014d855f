import type { Clock } from "../pacing/clock.ts";

/** Without I/O in iterations nothing else would get its turn; after this long in one go, it does. */
const longestTurnMs = 5;

/** Gives the event loop its turn between iterations; shared by all virtual users that could hold it up. */
export class TurnKeeper {
  readonly #clock: Clock;
  #beganMs: number;
  #next: Promise<void> | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#beganMs = clock.now();
  }

  /** Null while the turn may go on; else what to wait for. All who wait go on in the same later turn. */
  due(): Promise<void> | null {
    if (this.#clock.now() - this.#beganMs < longestTurnMs) return null;
    return (this.#next ??= new Promise((resolve) => {
      this.#clock.nextTurn(() => {
        this.#next = null;
        this.#beganMs = this.#clock.now();
        resolve();
      });
    }));
  }
}
