import type { MetricUnit } from "../metrics/built-in-metrics.ts";

interface SeriesHead {
  /** The metric's name, such as `http_req_duration`. */
  readonly metric: string;
  readonly unit: MetricUnit;
  /** Phases of a request have only the tags `scenario` and `page`. */
  readonly tags: Readonly<Record<string, string>>;
}

/** The samples of one series (a metric with one combination of tags) since the last snapshot. Secrets are masked. */
export type IntervalSeries = CounterInterval | GaugeInterval | RateInterval | TrendInterval;

export interface CounterInterval extends SeriesHead {
  readonly type: "counter";
  readonly sum: number;
}

export interface GaugeInterval extends SeriesHead {
  readonly type: "gauge";
  /** The latest value. */
  readonly value: number;
}

export interface RateInterval extends SeriesHead {
  readonly type: "rate";
  /** Samples that were true. */
  readonly passes: number;
  /** All samples. */
  readonly total: number;
}

/** Values are in the metric's unit. */
export interface TrendInterval extends SeriesHead {
  readonly type: "trend";
  readonly count: number;
  readonly sum: number;
  readonly min: number;
  readonly max: number;
  /** Non-empty buckets in ascending order; they are at most 1 % wide, those of a request's total time 0.1 %. */
  readonly histogram: {
    /** The greatest value that each bucket may hold. */
    readonly upTo: readonly number[];
    readonly counts: readonly number[];
  };
}
