import { findMetric, type MetricInfo } from "@bearhug/metrics/metric-catalog";
import { SeriesStore } from "@bearhug/metrics/series-store";
import type { TaggedDeltas } from "@bearhug/metrics/snapshot";
import { trendScale, type Trend } from "@bearhug/metrics/trend";
import type { IntervalSeries } from "@bearhug/sdk";

import { seriesRows, type SeriesRow } from "./series-rows.ts";

/** Merges the samples of all workers between two snapshots of a run, for reporters with `wantsSeries`. */
export class SeriesGatherer {
  #store = new SeriesStore();
  #added = 0;

  /** Adds samples of any worker, with tags that the run's store has already folded. */
  add(deltas: readonly TaggedDeltas[]): void {
    // Ids only need to be unique until the next drain, which starts a new store: all deltas can use worker 0.
    const first = this.#added;
    this.#added += deltas.length;
    this.#store.add(
      0,
      deltas.map((delta, index) => ({ id: first + index, ...delta })),
    );
  }

  /** Returns the samples since the last drain, merged as in a result. */
  drain(catalog: ReadonlyMap<string, MetricInfo>): IntervalSeries[] {
    const series = seriesRows(this.#store, catalog).map((row) => describe(row, catalog));
    this.#store = new SeriesStore();
    this.#added = 0;
    return series;
  }
}

function describe(
  { metric, tags, accumulator }: SeriesRow,
  catalog: ReadonlyMap<string, MetricInfo>,
): IntervalSeries {
  const head = { metric, unit: findMetric(catalog, metric)?.unit ?? null, tags };
  switch (accumulator.type) {
    case "counter":
      return { ...head, type: "counter", sum: accumulator.total };
    case "gauge":
      return { ...head, type: "gauge", value: accumulator.value };
    case "rate":
      return { ...head, type: "rate", passes: accumulator.trues, total: accumulator.samples };
    case "trend":
      return { ...head, type: "trend", ...describeTrend(accumulator) };
  }
}

function describeTrend(
  trend: Trend,
): Pick<Extract<IntervalSeries, { type: "trend" }>, "count" | "sum" | "min" | "max" | "histogram"> {
  const ranges = trend.ranges();
  return {
    count: trend.count,
    sum: trend.sum / trendScale,
    min: trend.min / trendScale,
    max: trend.max / trendScale,
    histogram: {
      upTo: ranges.map(({ highest }) => highest / trendScale),
      counts: ranges.map(({ count }) => count),
    },
  };
}
