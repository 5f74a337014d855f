import type { IntervalSeries } from "@bearhug/sdk";

import type { Accumulator, MetricDelta } from "../metrics/accumulator.ts";
import type { MetricInfo } from "../metrics/metric-catalog.ts";
import { SeriesStore } from "../metrics/series-store.ts";
import type { Tags } from "../metrics/tags.ts";
import { trendScale, type Trend } from "../metrics/trend.ts";

/** Series of any worker, by tags that the run's store has folded. */
export interface TaggedDelta {
  readonly tags: Tags;
  readonly metrics: Readonly<Record<string, MetricDelta>>;
}

/** Merges what all workers tell between two snapshots of a run, for reporters with `wantsSeries`. */
export class SeriesGatherer {
  #store = new SeriesStore();
  #told = 0;

  add(deltas: readonly TaggedDelta[]): void {
    // Each drain begins a new store, which has seen no series yet: all deltas can be one worker's.
    const first = this.#told;
    this.#told += deltas.length;
    this.#store.add(
      0,
      deltas.map((delta, index) => ({ id: first + index, ...delta })),
    );
  }

  /** All since the last drain. */
  drain(catalog: ReadonlyMap<string, MetricInfo>): IntervalSeries[] {
    const series = [...this.#store.all()].flatMap(({ tags, metrics }) =>
      Array.from(metrics, ([metric, accumulator]) =>
        describe(metric, catalog.get(metric)?.unit ?? null, tags, accumulator),
      ),
    );
    this.#store = new SeriesStore();
    this.#told = 0;
    return series;
  }
}

function describe(
  metric: string,
  unit: MetricInfo["unit"],
  tags: Tags,
  accumulator: Accumulator,
): IntervalSeries {
  const head = { metric, unit, tags };
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
