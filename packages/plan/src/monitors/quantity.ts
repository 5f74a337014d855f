import type { MetricUnit } from "@bearhug/sdk/result";

/** A figure as a source reports it, before counters are converted to rates. */
export type Quantity = Level | CounterSample | ShareSample;

/** A gauge, used as it is. Levels of one gauge are added up. */
export interface Level {
  readonly kind: "level";
  readonly gauge: string;
  readonly unit: MetricUnit;
  readonly value: number;
}

/** One series of a counter. The gauge is the growth per second, summed over all its series. */
export interface CounterSample {
  readonly kind: "counter";
  readonly gauge: string;
  /** The unit of the rate. */
  readonly unit: MetricUnit;
  /** Identifies the series within its gauge. */
  readonly series: string;
  readonly value: number;
  /** When the source counted, by its own clock in ms; null if it does not report that. */
  readonly countedAtMs: number | null;
}

/**
 * Two counters of one series, one of which is a part of the other. The gauge is the part's share of
 * the growth, in percent.
 */
export interface ShareSample {
  readonly kind: "share";
  readonly gauge: string;
  readonly series: string;
  readonly part: number;
  readonly whole: number;
}
