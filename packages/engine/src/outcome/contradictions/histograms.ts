import { decodeHistogram } from "@bearhug/metrics/histogram-encoding";
import type { TestResult } from "@bearhug/sdk";

import { claim, unequal, type Contradiction } from "./contradiction.ts";

/**
 * Finds histograms that cannot be read, or whose number of values differs from the count of their series or
 * metric.
 */
export function wrongHistograms({ series, intervals, metrics }: TestResult): Contradiction[] {
  const ofSeries = series.flatMap(({ values, histogram }, index) => {
    if (histogram === null) return [];
    const held = countValues(histogram);
    const path = `series[${index}].histogram`;
    if (held === null) return [cannotBeRead(path)];
    const { count } = values;
    return claim(held === count, path, `holds ${held} values, but count is ${count ?? "missing"}`);
  });
  const ofIntervals = spreads.flatMap(([key, name]) => {
    const unreadable: Contradiction[] = [];
    let total = 0;
    for (const [index, { [key]: text }] of intervals.entries()) {
      const held = text === null ? 0 : countValues(text);
      if (held === null) unreadable.push(cannotBeRead(`intervals[${index}].${key}`));
      else total += held;
    }
    if (unreadable.length > 0) return unreadable;
    const metric = metrics[name];
    const count = metric?.type === "trend" ? metric.values.count : 0;
    return unequal(`metrics.${name}.values.count`, count, total, "the total of the intervals");
  });
  return [...ofSeries, ...ofIntervals];
}

/** The distributions of an interval, and the metrics that they belong to. */
const spreads = [
  ["duration", "http_req_duration"],
  ["responseTime", "http_req_response_time"],
] as const;

/** Returns the number of values in a histogram; null if it cannot be read. */
function countValues(text: string): number | null {
  const buckets = decodeHistogram(text)?.buckets;
  return buckets?.reduce((sum, value, at) => (at % 2 === 1 ? sum + value : sum), 0) ?? null;
}

function cannotBeRead(path: string): Contradiction {
  return { path, message: "cannot be read" };
}
