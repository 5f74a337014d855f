import type { Tags } from "@bearhug/metrics/tags";
import type { Ledger, PlaceTurn } from "@bearhug/plan/clients/client";

import type { IteratedScenario } from "./iteration.ts";
import type { VariantTurns } from "./variant-turns.ts";

/** A scenario whose variants take turns, with a recording scenario for each variant and ledger. */
export class TurnedScenario {
  readonly #turns: VariantTurns;
  readonly #record: (ledger: Ledger, tags: Tags) => IteratedScenario;
  readonly #byLedger = new Map<Ledger, readonly IteratedScenario[]>();
  /** Cached for the current turn, because each turn has many iterations. */
  #now: { readonly turn: PlaceTurn; readonly ledger: Ledger; readonly scenario: IteratedScenario } | null =
    null;

  /** `record` creates the scenario that records in a ledger, with these tags added. */
  constructor(turns: VariantTurns, record: (ledger: Ledger, tags: Tags) => IteratedScenario) {
    this.#turns = turns;
    this.#record = record;
  }

  /**
   * Returns the scenario of an iteration that is due at a time, counted from the start of the measured load.
   */
  at(atMs: number, ledger: Ledger): IteratedScenario {
    const turn = this.#turns.at(atMs);
    const now = this.#now;
    if (now?.turn === turn && now.ledger === ledger) return now.scenario;
    const own = this.#variantsOf(ledger)[turn.variant];
    if (own === undefined) throw new RangeError(`there is no variant ${turn.variant}`);
    const scenario = { ...own, root: { ...own.root, turn } };
    this.#now = { turn, ledger, scenario };
    return scenario;
  }

  #variantsOf(ledger: Ledger): readonly IteratedScenario[] {
    const known = this.#byLedger.get(ledger);
    if (known !== undefined) return known;
    const made = this.#turns.variants.map(({ name }) => this.#record(ledger, { variant: name }));
    this.#byLedger.set(ledger, made);
    return made;
  }
}
