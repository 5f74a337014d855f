import type { MetricUnit } from "@bearhug/sdk/internal";

/** A figure as a source holds it, before counters have become rates. */
export type Quantity = Level | CounterSample | ShareSample;

/** A gauge: shown as it is. Levels of one gauge are added up. */
export interface Level {
  readonly kind: "level";
  readonly gauge: string;
  readonly unit: MetricUnit;
  readonly value: number;
}

/** One series of a counter. Its gauge is the growth per second, of all its series. */
export interface CounterSample {
  readonly kind: "counter";
  readonly gauge: string;
  /** The unit of the rate. */
  readonly unit: MetricUnit;
  /** Tells the series of one gauge apart. */
  readonly series: string;
  readonly value: number;
  /** When the source counted, by its own clock in ms; null if it does not tell. */
  readonly countedAtMs: number | null;
}

/** Two counters of one series, of which one is a part of the other. Its gauge is the part's share of the growth, in percent. */
export interface ShareSample {
  readonly kind: "share";
  readonly gauge: string;
  readonly series: string;
  readonly part: number;
  readonly whole: number;
}
