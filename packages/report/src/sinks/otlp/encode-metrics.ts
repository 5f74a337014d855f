import type { BaseUnit } from "../base-units.ts";
import { descriptionOf, exportedName } from "../exported-metric.ts";
import type { MetricTotals, SeriesTotals, SeriesTags, Totals } from "../totals.ts";
import type { ExponentialBuckets } from "./exponential-buckets.ts";
import type { Temporality } from "./otlp-options.ts";

/** The time range of points, in milliseconds since the epoch. */
export interface PointTimes {
  readonly startMs: number;
  readonly endMs: number;
}

export interface MetricsProducer {
  readonly resource: SeriesTags;
  readonly version: string;
  readonly temporality: Temporality;
}

/** Encodes an `ExportMetricsServiceRequest` in the JSON of OTLP, where 64-bit integers are strings. */
export function encodeMetrics(
  totals: Totals<ExponentialBuckets>,
  times: PointTimes,
  { resource, version, temporality }: MetricsProducer,
): string {
  const metrics = Array.from(totals.metrics, (metric) => encodeMetric(metric, times, temporality));
  const scopeMetrics = [{ scope: { name: "bearhug", version }, metrics }];
  return JSON.stringify({
    resourceMetrics: [{ resource: { attributes: attributesOf(resource) }, scopeMetrics }],
  });
}

/** UCUM units; empty for plain numbers, because "1" means a ratio. */
const units: Readonly<Record<NonNullable<BaseUnit>, string>> = {
  seconds: "s",
  bytes: "By",
  ratio: "1",
  bytes_per_second: "By/s",
  per_second: "1/s",
};

/** The enumeration `AggregationTemporality`. */
const temporalities: Readonly<Record<Temporality, number>> = { delta: 1, cumulative: 2 };

function encodeMetric(
  { metric, type, unit, series }: MetricTotals<ExponentialBuckets>,
  times: PointTimes,
  temporality: Temporality,
): object {
  const dataPoints = [...series.values()].flatMap(({ tags, totals }) => pointsOf(tags, totals, times));
  const description = descriptionOf(metric) ?? "";
  const head = {
    name: `bearhug.${exportedName(metric)}`,
    description,
    unit: unit === null ? "" : units[unit],
  };
  const aggregationTemporality = temporalities[temporality];
  if (type === "gauge") return { ...head, gauge: { dataPoints } };
  if (type === "trend") return { ...head, exponentialHistogram: { aggregationTemporality, dataPoints } };
  return { ...head, sum: { aggregationTemporality, isMonotonic: true, dataPoints } };
}

function pointsOf(tags: SeriesTags, totals: SeriesTotals<ExponentialBuckets>, times: PointTimes): object[] {
  const point = (further: SeriesTags = {}): object => ({
    attributes: attributesOf({ ...tags, ...further }),
    startTimeUnixNano: nanoseconds(times.startMs),
    timeUnixNano: nanoseconds(times.endMs),
  });
  switch (totals.type) {
    case "counter":
      return [{ ...point(), asDouble: totals.sum }];
    case "gauge":
      return [{ ...point(), asDouble: totals.value }];
    case "rate":
      return [
        { ...point({ condition: "true" }), asDouble: totals.passes },
        { ...point({ condition: "false" }), asDouble: totals.total - totals.passes },
      ];
    case "trend": {
      const { count, sum, min, max, distribution } = totals;
      const { offset, counts } = distribution.dense();
      return [
        {
          ...point(),
          count: String(count),
          sum,
          min,
          max,
          scale: distribution.scale,
          zeroCount: String(distribution.zeros),
          positive: { offset, bucketCounts: counts.map(String) },
        },
      ];
    }
  }
}

function attributesOf(tags: SeriesTags): object[] {
  return Object.entries(tags).map(([key, text]) => ({ key, value: { stringValue: text.toWellFormed() } }));
}

function nanoseconds(ms: number): string {
  return `${Math.round(ms)}000000`;
}
