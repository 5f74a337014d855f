import * as z from "zod";
import { metricUnits, type MetricUnit } from "../metrics/built-in-metrics.ts";
import { count } from "../validation/numbers.ts";
import { once } from "../validation/once.ts";

/** A counter over the whole test. */
export interface CounterValues {
  /** The sum. */
  readonly count: number;
  /** The sum per second. */
  readonly rate: number;
}

/** A gauge over the whole test. */
export interface GaugeValues {
  /** The latest value. */
  readonly value: number;
  /** The mean of all readings; only for monitored gauges. */
  readonly avg?: number;
  readonly min: number;
  readonly max: number;
}

/** A rate over the whole test. */
export interface RateValues {
  /** The share of samples that were true, from 0 to 1. */
  readonly rate: number;
  /** Samples that were true. */
  readonly passes: number;
  /** Samples that were false. */
  readonly fails: number;
}

/**
 * A distribution. Percentiles have keys such as `"p(95)"`: 50, 90, 95, 99, 99.9, and those that thresholds
 * use.
 */
export interface TrendValues {
  readonly count: number;
  readonly min: number;
  readonly avg: number;
  readonly med: number;
  readonly max: number;
  readonly [percentile: `p(${number})`]: number;
}

/**
 * Samples of a trend that are only lower bounds, because they were cut off: timeouts, unanswered requests.
 */
export interface CensoredSamples {
  /** The number of such samples. */
  readonly samples: number;
  /**
   * The least of them. Every value of the trend from here on is only a lower bound, including ends of
   * confidence intervals.
   */
  readonly from: number;
}

/** A trend over the whole test. */
export interface TrendResult {
  readonly type: "trend";
  /** The unit of all values but `count`, which is a plain number. */
  readonly unit: MetricUnit;
  readonly values: TrendValues;
  /**
   * The 95 % confidence intervals of percentiles, by the keys of `values`; absent if there are too few
   * samples.
   */
  readonly confidence?: Readonly<Record<string, readonly [low: number, high: number]>>;
  /** The keys of `values` that are only lower bounds; absent if no sample was censored. */
  readonly lowerBounds?: readonly string[];
  /** Absent if no sample was censored. */
  readonly censored?: CensoredSamples;
}

/** A metric over the whole test, by its type. Metrics without a sample are left out of the result. */
export type MetricResult =
  | { readonly type: "counter"; readonly unit: MetricUnit; readonly values: CounterValues }
  | { readonly type: "gauge"; readonly unit: MetricUnit; readonly values: GaugeValues }
  | { readonly type: "rate"; readonly unit: MetricUnit; readonly values: RateValues }
  | TrendResult;

/** The samples of a metric with the same tags. Every sample of the load has the tag `scenario`. */
export interface SeriesResult {
  readonly metric: string;
  readonly tags: Readonly<Record<string, string>>;
  /** The same figures as the `values` of the metric. */
  readonly values: Readonly<Record<string, number>>;
  /** The keys of `values` that are only lower bounds; absent if no sample was censored. */
  readonly lowerBounds?: readonly string[];
  /** Absent if no sample was censored. */
  readonly censored?: CensoredSamples;
  /** The compact histogram of a trend, for merging; null for other types of metrics. */
  readonly histogram: string | null;
  /**
   * The samples in equal blocks of time, for the comparison of results. Only for the response times,
   * durations and failures of the 100 busiest names, and for metrics with a threshold.
   */
  readonly blocks?: readonly SeriesBlock[];
}

/** One block of time: the compact histogram of a trend, the trues and samples of a rate, or a counter's sum; null without a sample. */
export type SeriesBlock = string | number | readonly [trues: number, samples: number] | null;

/** The metrics of one scenario, group, page or request name as a whole: its series merged, for tables. */
export interface MergedResult {
  readonly name: string;
  /** The metrics by name. Metrics without a sample are left out. */
  readonly metrics: Readonly<Record<string, MetricResult>>;
}

const number = once(() => z.number());

export const unitSchema: () => z.ZodType<MetricUnit> = once(() => z.enum(metricUnits).nullable());

export const censoredSchema: () => z.ZodType<CensoredSamples> = once(() =>
  z.object({
    samples: z.int().positive(),
    from: number().nonnegative(),
  }),
);

const censoring = once(() => ({
  lowerBounds: z.array(z.string()).exactOptional(),
  censored: censoredSchema().exactOptional(),
}));

export const metricSchema: () => z.ZodType<MetricResult> = once(() =>
  z.discriminatedUnion("type", [
    z.object({
      type: z.literal("counter"),
      unit: unitSchema(),
      values: z.object({ count: number(), rate: number() }),
    }),
    z.object({
      type: z.literal("gauge"),
      unit: unitSchema(),
      values: z.object({ value: number(), avg: number().exactOptional(), min: number(), max: number() }),
    }),
    z.object({
      type: z.literal("rate"),
      unit: unitSchema(),
      values: z.object({ rate: number().min(0).max(1), passes: count(), fails: count() }),
    }),
    z.object({
      type: z.literal("trend"),
      unit: unitSchema(),
      values: z
        .object({ count: count(), min: number(), avg: number(), med: number(), max: number() })
        .catchall(number()),
      confidence: z.record(z.string(), z.tuple([number(), number()])).exactOptional(),
      ...censoring(),
    }),
  ]),
);

export const seriesSchema: () => z.ZodType<SeriesResult> = once(() =>
  z.object({
    metric: z.string(),
    tags: z.record(z.string(), z.string()),
    values: z.record(z.string(), number()),
    ...censoring(),
    histogram: z.string().nullable(),
    blocks: z.array(z.union([z.string(), number(), z.tuple([count(), count()]), z.null()])).exactOptional(),
  }),
);

export const mergedSchema: () => z.ZodType<MergedResult> = once(() =>
  z.object({
    name: z.string(),
    metrics: z.record(z.string(), metricSchema()),
  }),
);
