import type { Clock } from "@bearhug/plan/pacing/clock";

/** The longest that a run waits for its last scrape. */
const longestWaitMs = 15_000;
/** A scraper that is late by more than this many of its own intervals counts as gone. */
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

  /** Begins a scrape of all current figures. Returns the function to call when it has been delivered. */
  begin(): () => void {
    // A scrape that began before next() was called lacks the last figures.
    const onScrape = this.#onScrape;
    return () => {
      const now = this.#clock.now();
      if (this.#lastAtMs !== null)
        this.#longestGapMs = Math.max(this.#longestGapMs ?? 0, now - this.#lastAtMs);
      this.#lastAtMs = now;
      onScrape();
    };
  }

  /** The time to wait for the next scrape; null if there was none. */
  get patienceMs(): number | null {
    if (this.#lastAtMs === null) return null;
    return Math.min(longestWaitMs, (this.#longestGapMs ?? longestWaitMs) * patience);
  }

  /** Resolves with true at the next scrape, or with false after this long without one. */
  async next(waitMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const cancel = this.#clock.at(this.#clock.now() + waitMs, () => resolve(false));
      this.#onScrape = () => {
        cancel();
        resolve(true);
      };
    });
  }
}
