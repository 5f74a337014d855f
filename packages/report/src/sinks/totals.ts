import { tagsKey } from "@bearhug/metrics/tags";
import type { IntervalSeries } from "@bearhug/sdk";

import { baseUnitOf, inBaseUnit, type BaseUnit } from "./base-units.ts";

/** The form in which a sink keeps the values of a trend. */
export interface Distribution<Self> {
  /** Counts samples with this value, in the base unit of the metric. */
  add(value: number, count: number): void;
  merge(other: Self): void;
}

/** A distribution, with its exact count, sum, minimum and maximum. */
export interface TrendTotals<D> {
  readonly type: "trend";
  count: number;
  sum: number;
  min: number;
  max: number;
  readonly distribution: D;
}

/** All samples of one series so far; values are in the base unit of the metric. */
export type SeriesTotals<D> =
  | { readonly type: "counter"; sum: number }
  | { readonly type: "gauge"; value: number }
  | { readonly type: "rate"; passes: number; total: number }
  | TrendTotals<D>;

export type SeriesTags = IntervalSeries["tags"];

/** The sentence to report if `hasFolded` is true. */
export const describeFolding =
  "the run had more than 1,000 trends or 10,000 other series: the rest kept only their scenario tag";

/** All series of one metric. */
export interface MetricTotals<D> {
  readonly metric: string;
  readonly type: IntervalSeries["type"];
  readonly unit: BaseUnit;
  readonly series: Map<string, { readonly tags: SeriesTags; readonly totals: SeriesTotals<D> }>;
}

/** The most series, of trends and of all other metrics, that a sink keeps apart. */
const mostSeries = { trends: 1000, others: 10_000 };
const folded = "(other)";

/**
 * Adds up the series of snapshots. Series beyond a limit keep only their scenario, so neither memory nor exports
 * grow without bound.
 */
export class Totals<D extends Distribution<D>> {
  readonly #createDistribution: (unit: BaseUnit) => D;
  readonly #tagsOf: (tags: SeriesTags) => SeriesTags;
  readonly #metrics = new Map<string, MetricTotals<D>>();
  readonly #counts = { trends: 0, others: 0 };
  #hasFolded = false;

  /** `tagsOf` converts tags to those that the sink exports. Series that then have equal tags are added up. */
  constructor(
    createDistribution: (unit: BaseUnit) => D,
    tagsOf: (tags: SeriesTags) => SeriesTags = (tags) => tags,
  ) {
    this.#createDistribution = createDistribution;
    this.#tagsOf = tagsOf;
  }

  get metrics(): Iterable<MetricTotals<D>> {
    return this.#metrics.values();
  }

  /** True once the number of series exceeded the limit. */
  get hasFolded(): boolean {
    return this.#hasFolded;
  }

  add(interval: readonly IntervalSeries[]): void {
    for (const one of interval) {
      const unit = baseUnitOf(one);
      this.#put(one.metric, unit, this.#tagsOf(one.tags), this.#totalsOf(one, unit));
    }
  }

  /** Takes over the series of other totals, which must not be used any more. */
  merge(other: Totals<D>): void {
    for (const { metric, unit, series } of other.metrics)
      for (const { tags, totals } of series.values()) this.#put(metric, unit, tags, totals);
  }

  #put(metric: string, unit: BaseUnit, tags: SeriesTags, totals: SeriesTotals<D>): void {
    const { type } = totals;
    const known = this.#metrics.get(metric);
    const found: MetricTotals<D> = known ?? { metric, type, unit, series: new Map() };
    if (known === undefined) this.#metrics.set(metric, found);
    const key = tagsKey(tags);
    const series = found.series.get(key);
    const kind = type === "trend" ? "trends" : "others";
    if (series !== undefined) mergeSeries(series.totals, totals);
    else if (this.#counts[kind] >= mostSeries[kind] && !isFolded(tags)) {
      this.#hasFolded = true;
      this.#put(metric, unit, fold(tags), totals);
    } else {
      this.#counts[kind]++;
      found.series.set(key, { tags, totals });
    }
  }

  /** Returns the totals of one snapshot of a series, in base units. */
  #totalsOf(one: IntervalSeries, unit: BaseUnit): SeriesTotals<D> {
    const inBase = (value: number): number => inBaseUnit(value, one.unit);
    switch (one.type) {
      case "counter":
        return { type: one.type, sum: inBase(one.sum) };
      case "gauge":
        return { type: one.type, value: inBase(one.value) };
      case "rate":
        return { type: one.type, passes: one.passes, total: one.total };
      case "trend": {
        const { type, count, sum, min, max, histogram } = one;
        const distribution = this.#createDistribution(unit);
        for (const [index, upTo] of histogram.upTo.entries())
          distribution.add(inBase(Math.min(upTo, max)), histogram.counts[index] ?? 0);
        return { type, count, sum: inBase(sum), min: inBase(min), max: inBase(max), distribution };
      }
    }
  }
}

function isFolded(tags: SeriesTags): boolean {
  return Object.entries(tags).every(([name, value]) => name === "scenario" || value === folded);
}

function fold(tags: SeriesTags): SeriesTags {
  return Object.fromEntries(
    Object.entries(tags).map(([name, value]) => [name, name === "scenario" ? value : folded]),
  );
}

function mergeSeries<D extends Distribution<D>>(into: SeriesTotals<D>, from: SeriesTotals<D>): void {
  if (into.type === "counter" && from.type === "counter") into.sum += from.sum;
  else if (into.type === "gauge" && from.type === "gauge") into.value = from.value;
  else if (into.type === "rate" && from.type === "rate") {
    into.passes += from.passes;
    into.total += from.total;
  } else if (into.type === "trend" && from.type === "trend") {
    into.count += from.count;
    into.sum += from.sum;
    into.min = Math.min(into.min, from.min);
    into.max = Math.max(into.max, from.max);
    into.distribution.merge(from.distribution);
  }
}
