import { createAccumulator, mergeDelta, type Accumulator, type MetricDelta } from "../accumulator.ts";
import type { MetricInfo } from "../metric-catalog.ts";
import { Trend } from "../trend.ts";

/** The samples of one metric in consecutive seconds, the oldest of which can be removed. */
export class WindowContents {
  readonly #metric: Pick<MetricInfo, "type" | "precision">;
  #seconds: (readonly MetricDelta[])[] = [];
  /** Kept up to date, since merging the histograms of an hour's window anew takes more than a second. */
  #trend: Trend;

  constructor(metric: Pick<MetricInfo, "type" | "precision">) {
    this.#metric = metric;
    this.#trend = new Trend(metric.precision);
  }

  get seconds(): number {
    return this.#seconds.length;
  }

  push(deltas: readonly MetricDelta[]): void {
    this.#seconds.push(deltas);
    for (const delta of deltas) if (delta.type === "trend") this.#trend.merge(delta);
  }

  /** Removes the oldest second. */
  shift(): void {
    const left = this.#seconds.shift() ?? [];
    const remaining = this.#seconds.flat().filter((delta) => delta.type === "trend");
    for (const delta of left) if (delta.type === "trend") this.#trend.unmerge(delta, remaining);
  }

  merged(): Accumulator {
    const { type, precision } = this.#metric;
    if (type === "trend") return this.#trend;
    const merged = createAccumulator(type, precision);
    for (const delta of this.#seconds.flat()) mergeDelta(merged, delta);
    return merged;
  }

  clear(): void {
    this.#seconds = [];
    this.#trend = new Trend(this.#metric.precision);
  }
}
