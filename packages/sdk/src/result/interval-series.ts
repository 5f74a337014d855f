import type { MetricUnit } from "../metrics/built-in-metrics.ts";

interface SeriesHead {
  /** The metric's name, such as `http_req_duration`. */
  readonly metric: string;
  readonly unit: MetricUnit;
  /** The tags of the series. Metrics of a request's phases have the tags `scenario` and `page` only. */
  readonly tags: Readonly<Record<string, string>>;
}

/** The samples of one series (a metric with one combination of tags) since the last snapshot. Secrets are masked. */
export type IntervalSeries = CounterInterval | GaugeInterval | RateInterval | TrendInterval;

/** The samples of a counter since the last snapshot. */
export interface CounterInterval extends SeriesHead {
  readonly type: "counter";
  /** The sum of the samples. */
  readonly sum: number;
}

/** The latest sample of a gauge since the last snapshot. */
export interface GaugeInterval extends SeriesHead {
  readonly type: "gauge";
  /** The latest value. */
  readonly value: number;
}

/** The samples of a rate since the last snapshot. */
export interface RateInterval extends SeriesHead {
  readonly type: "rate";
  /** Number of samples that were true. */
  readonly passes: number;
  /** Number of all samples. */
  readonly total: number;
}

/** The samples of a trend since the last snapshot. Values are in the metric's unit. */
export interface TrendInterval extends SeriesHead {
  readonly type: "trend";
  readonly count: number;
  readonly sum: number;
  readonly min: number;
  readonly max: number;
  /**
   * Non-empty buckets in ascending order. Each is at most 1 % wide, and at most 0.1 % for the total time of
   * requests.
   */
  readonly histogram: {
    /** The greatest value that each bucket may hold. */
    readonly upTo: readonly number[];
    readonly counts: readonly number[];
  };
}
