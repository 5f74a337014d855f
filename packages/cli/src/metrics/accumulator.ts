import type { MetricType } from "@bearhug/sdk";

import { Counter, type CounterDelta } from "./counter.ts";
import { Gauge, type GaugeDelta } from "./gauge.ts";
import { Rate, type RateDelta } from "./rate.ts";
import { Trend, type TrendDelta } from "./trend.ts";

/** The samples of one metric in one series. */
export type Accumulator = Counter | Gauge | Rate | Trend;

/** The samples that came since the last drain: plain data that can cross threads and be merged. */
export type MetricDelta = CounterDelta | GaugeDelta | RateDelta | TrendDelta;

export function createAccumulator(type: MetricType, precision: 2 | 3): Accumulator {
  switch (type) {
    case "counter":
      return new Counter();
    case "gauge":
      return new Gauge();
    case "rate":
      return new Rate();
    case "trend":
      return new Trend(precision);
  }
}

/** Adds a delta to an accumulator of the same type; false when the types differ. */
export function mergeDelta(accumulator: Accumulator, delta: MetricDelta): boolean {
  if (accumulator.type === "counter" && delta.type === "counter") accumulator.merge(delta);
  else if (accumulator.type === "gauge" && delta.type === "gauge") accumulator.merge(delta);
  else if (accumulator.type === "rate" && delta.type === "rate") accumulator.merge(delta);
  else if (accumulator.type === "trend" && delta.type === "trend") accumulator.merge(delta);
  else return false;
  return true;
}

export function accumulatorFor(delta: MetricDelta): Accumulator {
  return createAccumulator(delta.type, delta.type === "trend" ? delta.precision : 3);
}

/** The same contents again as a delta, so that stored series can be merged under other filters. */
export function deltaOf(accumulator: Accumulator): MetricDelta {
  switch (accumulator.type) {
    case "counter":
      return { type: "counter", total: accumulator.total, samples: accumulator.samples };
    case "gauge": {
      const { value, min, max, sum, samples } = accumulator;
      return { type: "gauge", value, min, max, sum, samples };
    }
    case "rate":
      return { type: "rate", trues: accumulator.trues, samples: accumulator.samples };
    case "trend":
      return accumulator.toDelta();
  }
}
