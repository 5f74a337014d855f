import { errorCode, Http2Violation } from "./error-codes.ts";

/** More frames without effect than these in a second are an attack, or a mistake. */
const maxIdleFrames = 1000;
const periodMs = 1000;

/** Counts frames that cost work but carry no response, such as PING, SETTINGS and empty DATA. */
export class FloodGuard {
  readonly #now: () => number;
  #count = 0;
  #sinceMs = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Called when a response begins, which may have many small frames. */
  reset(): void {
    this.#count = 0;
  }

  /** @throws {Http2Violation} if there were too many */
  count(what: string): void {
    if (this.#count === 0) this.#sinceMs = this.#now();
    this.#count++;
    if (this.#count <= maxIdleFrames) return;
    if (this.#now() - this.#sinceMs < periodMs) {
      const reason = `more than ${maxIdleFrames} frames within a second that bring nothing, the last of them ${what}`;
      throw new Http2Violation(errorCode.enhanceYourCalm, reason);
    }
    this.#count = 0;
  }
}
