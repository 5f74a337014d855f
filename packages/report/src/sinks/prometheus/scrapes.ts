import type { Clock } from "@bearhug/plan/pacing/clock";

/** The longest that a run waits for its last scrape. */
const longestWaitMs = 15_000;
/** A scraper that is later than this many of its own intervals has gone. */
const patience = 1.5;

/** The scrapes of a run, and how long its end waits for the last one. */
export class Scrapes {
  readonly #clock: Clock;
  #lastAtMs: number | null = null;
  #longestGapMs: number | null = null;
  #onScrape: () => void = () => undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Somebody reads all that there is now. Returns the function to call when it has arrived. */
  begin(): () => void {
    // A scrape that began before somebody waits for the next one lacks the last figures.
    const onScrape = this.#onScrape;
    return () => {
      const now = this.#clock.now();
      if (this.#lastAtMs !== null)
        this.#longestGapMs = Math.max(this.#longestGapMs ?? 0, now - this.#lastAtMs);
      this.#lastAtMs = now;
      onScrape();
    };
  }

  /** The time to wait for the next scrape; null if nobody scrapes. */
  get patienceMs(): number | null {
    if (this.#lastAtMs === null) return null;
    return Math.min(longestWaitMs, (this.#longestGapMs ?? longestWaitMs) * patience);
  }

  /** Resolves at the next scrape with true, or with false after this long without one. */
  async next(waitMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const cancel = this.#clock.at(this.#clock.now() + waitMs, () => {
        resolve(false);
      });
      this.#onScrape = () => {
        cancel();
        resolve(true);
      };
    });
  }
}
