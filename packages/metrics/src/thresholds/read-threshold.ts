import { parseMetricSelector, type MetricSelector } from "../metric-selector.ts";
import { readGaugeName } from "../gauge-name.ts";
import { parseCondition, type ReadExpression } from "./threshold-language.ts";

/** The two strings of a threshold, as in results, with their parsed forms. */
export interface ReadThreshold extends ReadExpression {
  /** The key as it was written: the metric, with its tag filter. */
  readonly metric: string;
  readonly selector: MetricSelector;
}

/** A threshold of a test. */
export interface ValidatedThreshold extends ReadThreshold {
  readonly abortOnFail: boolean;
  readonly delayAbortEvalMs: number;
  /** Null if it is judged over the whole test. */
  readonly windowMs: number | null;
  readonly allowEmpty: boolean;
}

/** `metric{tag:value}: expression`. The separator is the colon after the metric, not one in its braces. */
const pairPattern = /^\s*([^:{]+(?:\{.*\})?)\s*:\s*(.+?)\s*$/;

/**
 * Splits a threshold in one string, such as `http_req_duration: p(95)<500ms`; null if it is not a threshold.
 */
export function splitThreshold(
  text: string,
): { readonly metric: string; readonly expression: string } | null {
  const [, metric, expression] = pairPattern.exec(text) ?? [];
  return metric === undefined || expression === undefined ? null : { metric: metric.trim(), expression };
}

/**
 * Parses the two strings of a threshold. It does not check that the metric exists.
 * @throws {MetricSelectorSyntaxError | ThresholdSyntaxError} for invalid strings
 */
export function parseThreshold(metric: string, expression: string): ReadThreshold {
  const selector = parseMetricSelector(metric);
  const condition = parseCondition(expression, readGaugeName(selector.metric)?.unit);
  return { metric, expression, selector, condition };
}
