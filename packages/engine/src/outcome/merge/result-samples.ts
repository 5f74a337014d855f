import type { MetricDelta } from "@bearhug/metrics/accumulator";
import { decodeHistogram } from "@bearhug/metrics/histogram-encoding";
import type { SeriesDelta } from "@bearhug/metrics/snapshot";
import { trendScale, type TrendDelta } from "@bearhug/metrics/trend";
import type { DescribedClient } from "@bearhug/plan/clients/client-kind";
import type { IntervalResult, SeriesResult, TestResult } from "@bearhug/sdk";
import type { CensoredSamples } from "@bearhug/sdk/result";

/** Gauges of the load, whose sums over several machines can only be computed from the intervals. */
const gaugesOfLoad: ReadonlySet<string> = new Set(["vus", "vus_max", "connections_open"]);

/** Returns the samples of a result by series; null for a series without its histogram. */
export function samplesOf({ series, metrics }: TestResult): (SeriesDelta | null)[] {
  return series.flatMap((one, id) => {
    const { metric, tags } = one;
    const type = metrics[metric]?.type;
    if (type === undefined || gaugesOfLoad.has(metric)) return [];
    const delta = deltaOf(one, type);
    return [delta === null ? null : { id, tags, metrics: { [metric]: delta } }];
  });
}

function deltaOf(series: SeriesResult, type: MetricDelta["type"]): MetricDelta | null {
  const { values, histogram } = series;
  const figure = (key: string): number => values[key] ?? 0;
  switch (type) {
    case "counter":
      return { type, total: figure("count"), samples: Math.ceil(figure("count")) };
    case "rate":
      return { type, trues: figure("passes"), samples: figure("passes") + figure("fails") };
    case "gauge":
      return {
        type,
        value: figure("value"),
        min: figure("min"),
        max: figure("max"),
        sum: figure("value"),
        samples: 1,
      };
    case "trend": {
      const trend = readTrend(histogram, series.censored);
      if (trend === null) return null;
      const sum = Math.round(figure("avg") * figure("count") * trendScale);
      return {
        ...trend,
        sum,
        min: Math.round(figure("min") * trendScale),
        max: Math.round(figure("max") * trendScale),
      };
    }
  }
}

/** Reads a trend from its encoded histogram; null for an invalid or missing one. */
function readTrend(text: string | null, cutOff: CensoredSamples | undefined): TrendDelta | null {
  const decoded = text === null ? null : decodeHistogram(text);
  if (decoded === null) return null;
  const { buckets, precision } = decoded;
  let count = 0;
  for (let at = 1; at < buckets.length; at += 2) count += buckets[at] ?? 0;
  const hasZeros = buckets[0] === 0;
  return {
    type: "trend",
    precision,
    count,
    zeros: hasZeros ? (buckets[1] ?? 0) : 0,
    sum: 0,
    min: 0,
    max: 0,
    censored:
      cutOff === undefined ? null : { count: cutOff.samples, least: Math.round(cutOff.from * trendScale) },
    buckets: hasZeros ? buckets.subarray(2) : buckets,
  };
}

/** An interval of a result's timeline, as samples. */
export interface ResultStretch {
  /** The second in which the interval begins. */
  readonly second: number;
  readonly vus: number;
  readonly delta: SeriesDelta;
  readonly interval: IntervalResult;
}

/** Converts the timeline of a result back to samples. */
export function stretchesOf({ intervals }: TestResult, clients: readonly DescribedClient[]): ResultStretch[] {
  return intervals.map((interval) => {
    const counter = (total: number): MetricDelta => ({ type: "counter", total, samples: 1 });
    const metrics: Record<string, MetricDelta> = {
      iterations: counter(interval.iterations),
      dropped_iterations: counter(interval.dropped),
      data_received: counter(interval.bytes),
      connections_opened: counter(interval.connections_opened ?? 0),
    };
    for (const { name, roles } of clients) {
      const http = { ...interval, operations: interval.http_reqs, failed: interval.http_reqs_failed };
      const counts = name === "http" ? http : interval.clients?.[name];
      if (counts === undefined) continue;
      metrics[roles.operations] = counter(counts.operations);
      metrics[roles.failed] = { type: "rate", trues: counts.failed, samples: counts.operations };
      const duration = readTrend(counts.duration, counts.durationCensored);
      if (duration !== null) metrics[roles.duration] = duration;
      const responseTime = readTrend(counts.responseTime, counts.responseTimeCensored);
      if (responseTime !== null) metrics[roles.responseTime] = responseTime;
    }
    const second = Math.floor((interval.atMs - interval.widthMs) / 1000);
    return { second, vus: interval.vus, delta: { id: 0, tags: {}, metrics }, interval };
  });
}
