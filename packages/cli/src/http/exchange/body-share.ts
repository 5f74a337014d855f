import type { BodyBudget } from "./body-budget.ts";
import type { LastBodies } from "./last-bodies.ts";

/** The bodies of one virtual user's running iteration. */
export class BodyShare {
  /** The bodies that its responses may share. */
  readonly last: LastBodies;
  readonly #budget: BodyBudget;
  #bytes = 0;

  constructor(budget: BodyBudget, last: LastBodies) {
    this.#budget = budget;
    this.last = last;
  }

  take(bytes: number): boolean {
    this.#bytes += bytes;
    return this.#budget.take(bytes);
  }

  /** Bytes that were taken are kept no longer. */
  give(bytes: number): void {
    this.#bytes -= bytes;
    this.#budget.give(bytes);
  }

  /** The iteration has ended. */
  release(): void {
    this.give(this.#bytes);
  }
}
