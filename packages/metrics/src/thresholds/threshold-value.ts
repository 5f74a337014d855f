import type { MetricType, TestResult, ThresholdResult } from "@bearhug/sdk";
import { builtInMetrics, isBuiltInMetric } from "@bearhug/sdk/internal";
import { formatPercent } from "@bearhug/text/percent";

import { aggregatedUnit, parseCondition, type ThresholdCondition } from "./threshold-language.ts";
import { formatInUnit } from "../results/format-in-unit.ts";

const maxDigits = 12;

interface JudgedValue extends Pick<ThresholdResult, "metric" | "expression" | "unit"> {
  /** True if the metric is known to be a rate. */
  readonly isShare?: boolean;
}

/**
 * Formats the value that a threshold was evaluated on, in its unit, with as many digits as distinguish it
 * from the bound: "300 ms" must not fail "p(95)<300ms".
 */
export function formatThresholdValue(
  { metric, expression, unit: givenUnit, isShare = false }: JudgedValue,
  actual: number,
  metrics: TestResult["metrics"],
): string {
  const read = conditionOf({ expression, unit: givenUnit });
  const bound = read?.bound;
  const type = isShare ? "rate" : typeOf(metric, metrics);
  // Results of earlier versions have the metric's unit, even for the count of a trend.
  const unit = type && read ? aggregatedUnit({ type, unit: givenUnit }, read.aggregation.kind) : givenUnit;
  const isPercentage = type === "rate";
  const format = (value: number, digits: number): string => {
    if (isPercentage) return formatPercent(value, digits - 1);
    return formatInUnit(value, unit, digits);
  };
  for (let digits = 3; digits < maxDigits; digits += 1) {
    const shown = format(actual, digits);
    if (bound === undefined || bound === actual || !isSameNumber(shown, format(bound, digits))) return shown;
  }
  return format(actual, maxDigits);
}

/** Returns the metric of a threshold's key, such as "http_req_failed{page:home}". */
export function metricOfKey(key: string): string {
  return key.split("{", 1)[0] ?? key;
}

/** Returns the type of the metric of a threshold's key; null if it is unknown. */
function typeOf(key: string, metrics: TestResult["metrics"]): MetricType | null {
  const name = metricOfKey(key);
  return metrics[name]?.type ?? (isBuiltInMetric(name) ? builtInMetrics[name].type : null);
}

/** True if two numbers are equal apart from trailing zeros, such as "1.00" and "1". */
function isSameNumber(left: string, right: string): boolean {
  const [a, b] = [left, right].map((text) => text.replace(/(\.\d*?)0+(?!\d)/, "$1").replace(/\.(?!\d)/, ""));
  return a === b;
}

/**
 * Returns the condition of a threshold in a document, which may contain any text in its place; null if
 * it is not a condition.
 */
export function conditionOf({
  expression,
  unit,
}: Pick<ThresholdResult, "expression" | "unit">): ThresholdCondition | null {
  try {
    return parseCondition(expression, unit);
  } catch {
    return null;
  }
}
