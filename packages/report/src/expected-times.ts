import type { TestResult } from "@bearhug/sdk";
import type { TrendResult } from "@bearhug/sdk/result";
import { formatDuration } from "@bearhug/text/duration";
import { markLowerBound } from "@bearhug/text/number";

import { timesMetric } from "./described-step.ts";

/** The filter for the same requests in a threshold's key, in k6's syntax. */
export const expectedFilter = "{expected_response:true}";

/** Up to this share, failures hardly affect the times of all requests. */
const negligibleFailedRate = 0.01;

/**
 * Returns the times of expected responses alone, by metric. Empty unless so many requests failed that the
 * times of all are misleading.
 */
export function expectedTimes({
  metrics,
  expectedResponses = {},
}: TestResult): ReadonlyMap<string, TrendResult> {
  const failed = metrics["http_req_failed"];
  if (failed?.type !== "rate" || failed.values.rate <= negligibleFailedRate) return new Map();
  return new Map(
    Object.entries(expectedResponses).flatMap(([name, metric]) =>
      metric.type === "trend" ? [[name, metric] as const] : [],
    ),
  );
}

/** Describes the times of all requests, then of expected responses alone; empty if few requests failed. */
export function describeBothTimes(result: TestResult): string[] {
  const metric = timesMetric(result);
  const all = result.metrics[metric];
  const expected = expectedTimes(result).get(metric);
  if (all?.type !== "trend" || expected === undefined) return [];
  return [
    `all requests: ${describePercentiles(all)}`,
    `expected responses alone: ${describePercentiles(expected)}`,
  ];
}

function describePercentiles(trend: TrendResult): string {
  const shown = [
    ["p(50)", "median"],
    ["p(95)", "p95"],
    ["p(99)", "p99"],
  ] as const;
  return shown.map(([key, title]) => `${title} ${formatPercentile(trend, key)}`).join(", ");
}

/** Formats a percentile with its unit; empty if the trend lacks it. */
export function formatPercentile({ values, lowerBounds = [] }: TrendResult, key: `p(${number})`): string {
  const value = values[key];
  return value === undefined ? "" : markLowerBound(formatDuration(value), lowerBounds.includes(key));
}
