import type { CounterInterval, IntervalSeries, RateInterval, TrendInterval } from "@bearhug/sdk";

type Tags = IntervalSeries["tags"];

export function counterOf(metric: string, sum: number, tags: Tags = {}): CounterInterval {
  return { type: "counter", metric, unit: null, tags, sum };
}

export function rateOf(metric: string, passes: number, total: number, tags: Tags = {}): RateInterval {
  return { type: "rate", metric, unit: null, tags, passes, total };
}

/** Returns a trend with a separate bucket for each value. */
export function trendOf(metric: string, values: readonly number[], tags: Tags = {}): TrendInterval {
  const upTo = values.toSorted((left, right) => left - right);
  return {
    type: "trend",
    metric,
    unit: "ms",
    tags,
    count: values.length,
    sum: values.reduce((sum, value) => sum + value, 0),
    min: Math.min(...values),
    max: Math.max(...values),
    histogram: { upTo, counts: upTo.map(() => 1) },
  };
}
