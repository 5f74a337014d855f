import { TurnTally } from "@bearhug/metrics/turn-tally";
import type { PlaceTurn } from "@bearhug/plan/clients/client";
import { turnAt, type Turn } from "@bearhug/plan/pacing/turns";
import type { PlannedVariants, TurnDelta } from "@bearhug/plan/protocol/variants";

/** The turns of the variants in one worker, and the measurements of each turn. */
export class VariantTurns {
  readonly variants: PlannedVariants["variants"];
  readonly #rule: PlannedVariants["rule"];
  #now: { readonly fromMs: number; readonly untilMs: number; readonly turn: PlaceTurn } | null = null;
  #filled: TurnTally[] = [];
  #last: TurnTally | null = null;

  constructor({ rule, variants }: PlannedVariants) {
    this.#rule = rule;
    this.variants = variants;
  }

  /**
   * Returns the turn of an iteration that is due at a time, counted from the start of the measured load.
   * Returns the same object as long as the turn lasts.
   */
  at(atMs: number): PlaceTurn {
    const now = this.#now;
    if (now !== null && atMs >= now.fromMs && atMs < now.untilMs) return now.turn;
    const found = turnAt(this.#rule, atMs);
    const turn = { variant: found.variant, tally: this.#tallyOf(found) };
    this.#now = { fromMs: atMs, untilMs: found.untilMs, turn };
    return turn;
  }

  /** Returns the measurements since the last call. */
  drain(): TurnDelta[] {
    const filled = this.#filled;
    this.#filled = [];
    return filled.map((tally) => ({
      block: tally.block,
      variant: tally.variant,
      metrics: tally.drain(),
    }));
  }

  /** Returns null in a changeover and in the warm-up, which are not tallied. */
  #tallyOf({ block, variant, isChangeover }: Turn): TurnTally | null {
    if (isChangeover || block < 0) return null;
    if (this.#last?.block === block && this.#last.variant === variant) return this.#last;
    this.#last = new TurnTally(block, variant, (tally) => {
      this.#filled.push(tally);
    });
    return this.#last;
  }
}
