import type { MetricType } from "./built-in-metrics.ts";

/** A metric of the test's own, declared under its name in `metrics`. */
export interface MetricDeclaration<T extends MetricType = MetricType> {
  /**
   * How samples are combined: a sum (counter), the latest value (gauge), a share (rate) or a distribution
   * (trend).
   */
  readonly type: T;
  /**
   * True if values are milliseconds, so that reports show times. Only for trends and gauges. @default false
   */
  readonly time?: boolean;
}

/** The metrics of a test's own: their types by name. */
export type MetricTypes = Readonly<Record<string, MetricType>>;

/** Strings to group and filter samples by. */
export type Tags = Readonly<Record<string, string>>;

/** Records samples of one of the test's own metrics. */
export interface Metric<V> {
  /**
   * Records one sample with `tags` and the current tags: scenario, page, group and the iteration's own.
   * Counters add the value, gauges keep the latest, rates count how many were true, trends keep the distribution.
   */
  add(value: V, tags?: Tags): void;
}

/** The test's own metrics, by name. */
export type MetricHandles<M extends MetricTypes> = {
  readonly [Name in keyof M]: Metric<M[Name] extends "rate" ? boolean | 0 | 1 : number>;
};
