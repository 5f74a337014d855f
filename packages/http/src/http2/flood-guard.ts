import { errorCode, Http2Violation } from "./error-codes.ts";

/** More frames than these in a second that bring nothing are an attack, or a mistake. */
const mostIdle = 1000;
const periodMs = 1000;

/** Counts frames that make work and bring no response: PING, SETTINGS, DATA without data and the like. */
export class FloodGuard {
  readonly #now: () => number;
  #count = 0;
  #sinceMs = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** A response began: its frames may be many small ones. */
  reset(): void {
    this.#count = 0;
  }

  /** @throws {Http2Violation} if there were too many */
  count(what: string): void {
    if (this.#count === 0) this.#sinceMs = this.#now();
    this.#count++;
    if (this.#count <= mostIdle) return;
    if (this.#now() - this.#sinceMs < periodMs) {
      const reason = `more than ${mostIdle} frames within a second that bring nothing, the last of them ${what}`;
      throw new Http2Violation(errorCode.enhanceYourCalm, reason);
    }
    this.#count = 0;
  }
}
