import { addTo, type Accumulator, type MetricDelta } from "@bearhug/metrics/accumulator";
import { getOrAdd } from "@bearhug/metrics/get-or-add";
import type { TurnDelta } from "@bearhug/plan/protocol/variants";

/**
 * Above this number, neighbouring stretches are merged in pairs: a run of a week takes no more memory than
 * one of a minute.
 */
const maxStretches = 64;

/** The measurements of one variant's turns in a stretch, by metric. */
export type TurnMetrics = ReadonlyMap<string, Accumulator>;

/** The merged turns of all workers, by stretches of one or several blocks. */
export class TurnStore {
  #width = 1;
  /** By stretch and variant. */
  #stretches = new Map<number, Map<number, Map<string, Accumulator>>>();

  add(turns: readonly TurnDelta[]): void {
    for (const { block, variant, metrics } of turns) {
      this.#merge(Math.floor(block / this.#width), variant, Object.entries(metrics));
      while (this.#stretches.size > maxStretches) this.#widen();
    }
  }

  /** The number of blocks in a stretch. */
  get width(): number {
    return this.#width;
  }

  /**
   * Returns the turns of each variant in the stretches that the first `blocks` blocks complete; an empty map
   * where it had none.
   */
  completeStretches(variants: number, blocks: number): TurnMetrics[][] {
    const stretches = Math.floor(blocks / this.#width);
    return Array.from({ length: variants }, (_, variant) =>
      Array.from(
        { length: stretches },
        (__, stretch) => this.#stretches.get(stretch)?.get(variant) ?? new Map(),
      ),
    );
  }

  #widen(): void {
    const narrow = this.#stretches;
    this.#stretches = new Map();
    this.#width *= 2;
    for (const [stretch, variants] of narrow)
      for (const [variant, metrics] of variants) {
        this.#merge(Math.floor(stretch / 2), variant, metrics);
      }
  }

  #merge(stretch: number, variant: number, deltas: Iterable<readonly [name: string, MetricDelta]>): void {
    const variants = getOrAdd(this.#stretches, stretch, () => new Map<number, Map<string, Accumulator>>());
    const metrics = getOrAdd(variants, variant, () => new Map<string, Accumulator>());
    for (const [name, delta] of deltas) addTo(metrics, name, delta);
  }
}
