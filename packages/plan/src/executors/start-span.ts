import type { ScenarioPacing } from "./load-model.ts";
import { activeMs, isTimed } from "./load-models.ts";

/** The time in which iterations are started, as far as it is known while the run goes on. Times are from the start of the load. */
export class StartSpan {
  readonly #plannedUntilMs: number;
  #seenUntilMs = 0;
  #lookedAtMs = 0;
  #due = 0;

  /** Scenarios that end with a count of iterations plan no end of their own: what they start must be seen. */
  constructor(scenarios: readonly ScenarioPacing[]) {
    this.#plannedUntilMs = Math.max(
      0,
      ...scenarios.filter(isTimed).map((one) => one.startTimeMs + activeMs(one)),
    );
  }

  /** `due`: iterations of all scenarios that were started or dropped so far. */
  look(atMs: number, due: number): void {
    // At the last look nothing had ended yet, or there would be nothing new now.
    if (due > this.#due) this.#seenUntilMs = this.#lookedAtMs;
    this.#due = due;
    this.#lookedAtMs = atMs;
  }

  /** Up to when iterations are started at least; `stoppedAtMs`: when that was ended early, or would end at the latest. */
  untilMs(stoppedAtMs: number): number {
    return Math.min(stoppedAtMs, Math.max(this.#plannedUntilMs, this.#seenUntilMs));
  }
}
