import type { Distribution } from "../totals.ts";

/** The default of OpenTelemetry's own SDKs, which back ends are made for. */
const mostBuckets = 160;
/** Buckets are 0.3 % wide at first: not much wider than those of the run's own histograms. */
const firstScale = 8;

/**
 * OpenTelemetry's exponential histogram: bucket i holds values above base^i up to base^(i+1), where base is 2^(2^-scale). The scale
 * falls, which joins neighbours, until all values fit into 160 buckets.
 */
export class ExponentialBuckets implements Distribution<ExponentialBuckets> {
  scale: number = firstScale;
  /** Samples of exactly 0. */
  zeros = 0;
  #counts = new Map<number, number>();
  #first = Number.POSITIVE_INFINITY;
  #last = Number.NEGATIVE_INFINITY;

  add(value: number, count: number): void {
    if (value <= 0) this.zeros += count;
    else this.#count(Math.ceil(Math.log2(value) * 2 ** this.scale) - 1, count);
  }

  merge(other: ExponentialBuckets): void {
    while (this.scale > other.scale) this.#coarsen();
    this.zeros += other.zeros;
    // Counting may lower `this.scale` further.
    for (const [index, count] of other.#counts) this.#count(index >> (other.scale - this.scale), count);
  }

  /**
   * Returns the counts of all buckets from the first with samples to the last; `offset` is the index of the
   * first.
   */
  dense(): { readonly offset: number; readonly counts: readonly number[] } {
    if (this.#counts.size === 0) return { offset: 0, counts: [] };
    const offset = this.#first;
    const length = this.#last - offset + 1;
    return { offset, counts: Array.from({ length }, (_, at) => this.#counts.get(offset + at) ?? 0) };
  }

  #count(index: number, count: number): void {
    this.#counts.set(index, (this.#counts.get(index) ?? 0) + count);
    this.#first = Math.min(this.#first, index);
    this.#last = Math.max(this.#last, index);
    while (this.#last - this.#first >= mostBuckets) this.#coarsen();
  }

  #coarsen(): void {
    this.scale--;
    const counts = new Map<number, number>();
    for (const [index, count] of this.#counts) counts.set(index >> 1, (counts.get(index >> 1) ?? 0) + count);
    this.#counts = counts;
    if (counts.size === 0) return;
    this.#first >>= 1;
    this.#last >>= 1;
  }
}
