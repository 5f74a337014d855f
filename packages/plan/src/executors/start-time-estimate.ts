import type { ScenarioPacing } from "./load-model.ts";
import { isTimed, startsUntilMs } from "./load-models.ts";

/**
 * Estimates, while a run goes on, the time during which it starts iterations. Times are from the start of the
 * load.
 */
export class StartTimeEstimate {
  readonly #plannedUntilMs: number;
  #observedUntilMs = 0;
  #lookedAtMs = 0;
  #due = 0;

  /**
   * Scenarios with a number of iterations have no planned end: how long they start iterations has to be
   * observed.
   */
  constructor(scenarios: readonly ScenarioPacing[]) {
    this.#plannedUntilMs = Math.max(0, startsUntilMs(scenarios.filter(isTimed)));
  }

  /** `due` is the number of iterations of all scenarios that were started or dropped so far. */
  observe(atMs: number, due: number): void {
    // New iterations since the last look prove that the load was still starting iterations then.
    if (due > this.#due) this.#observedUntilMs = this.#lookedAtMs;
    this.#due = due;
    this.#lookedAtMs = atMs;
  }

  /**
   * Returns the time until which iterations start at least. `stoppedAtMs` is when starting was stopped early,
   * or would stop at the latest.
   */
  untilMs(stoppedAtMs: number): number {
    return Math.min(stoppedAtMs, Math.max(this.#plannedUntilMs, this.#observedUntilMs));
  }
}
