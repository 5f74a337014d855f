import type { Aggregation, ThresholdExpression, ValidatedThreshold } from "@bearhug/sdk";

import type { Accumulator } from "../metrics/accumulator.ts";
import { perSecond } from "../metrics/summarize.ts";
import { trendScale } from "../metrics/trend.ts";

/** What a threshold came to. */
export interface Judgement {
  readonly passed: boolean;
  /** In the metric's unit; null where no sample arrived. */
  readonly actual: number | null;
  readonly samples: number;
}

/** Judges a threshold on all samples that its key selects; without any it fails, unless that is allowed. */
export function evaluateThreshold(
  { expression, allowEmpty }: Pick<ValidatedThreshold, "expression" | "allowEmpty">,
  selected: Accumulator | undefined,
  durationMs: number,
): Judgement {
  const samples = selected === undefined ? 0 : sampleCount(selected);
  if (selected === undefined || samples === 0) return { passed: allowEmpty, actual: null, samples: 0 };
  const actual = aggregate(selected, expression.aggregation, durationMs);
  return {
    passed: actual !== null && holds(actual, expression),
    actual,
    samples,
  };
}

export function sampleCount(accumulator: Accumulator): number {
  return accumulator.type === "trend" ? accumulator.count : accumulator.samples;
}

/** What an expression's left side comes to; null for an aggregation that the metric's type lacks. */
export function aggregate(
  accumulator: Accumulator,
  aggregation: Aggregation,
  durationMs: number,
): number | null {
  switch (accumulator.type) {
    case "counter":
      return aggregation.kind === "rate" ? perSecond(accumulator.total, durationMs) : accumulator.total;
    case "gauge":
      return accumulator.value;
    case "rate":
      return accumulator.trues / accumulator.samples;
    case "trend":
      switch (aggregation.kind) {
        case "avg":
          return accumulator.sum / accumulator.count / trendScale;
        case "min":
          return accumulator.min / trendScale;
        case "max":
          return accumulator.max / trendScale;
        case "med":
          return accumulator.percentile(50);
        case "percentile":
          return accumulator.percentile(aggregation.percentile);
        case "count":
          return accumulator.count;
        case "rate":
        case "value":
          return null;
      }
  }
}

export function holds(
  actual: number,
  { operator, bound }: Pick<ThresholdExpression, "operator" | "bound">,
): boolean {
  switch (operator) {
    case "<":
      return actual < bound;
    case "<=":
      return actual <= bound;
    case ">":
      return actual > bound;
    case ">=":
      return actual >= bound;
    case "==":
      return actual === bound;
    case "!=":
      return actual !== bound;
  }
}
