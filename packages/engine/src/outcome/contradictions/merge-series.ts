import { sum } from "@bearhug/metrics/sum";
import type { SeriesResult, TestResult } from "@bearhug/sdk";

import { around, type Range } from "./contradiction.ts";

export function seriesOf({ series }: TestResult, metric: string): SeriesResult[] {
  return series.filter((one) => one.metric === metric);
}

/** The precision of histograms: percentiles of a merge lie between those of its parts within 1 %. */
const histogramError = 0.01;

/**
 * Returns the ranges of a merged series' values by key, as far as they follow from the values of its parts.
 */
export function mergeSeries(series: readonly SeriesResult[]): ReadonlyMap<string, Range> {
  if (series.length === 0) return new Map();
  const all = (key: string): number[] =>
    series.flatMap(({ values }) => (values[key] === undefined ? [] : [values[key]]));
  const merged = new Map<string, Range>();
  for (const key of ["count", "passes", "fails"]) {
    const values = all(key);
    if (values.length === series.length) merged.set(key, around(sum(values)));
  }
  const [counts, passes, fails] = [all("count"), all("passes"), all("fails")];
  if (passes.length === series.length) merged.set("rate", around(sum(passes) / (sum(passes) + sum(fails))));
  const averages = all("avg");
  if (averages.length < series.length) return merged;
  merged.set("min", around(Math.min(...all("min"))));
  merged.set("max", around(Math.max(...all("max"))));
  const weighted = averages.map((average, index) => average * (counts[index] ?? 0));
  merged.set("avg", around(sum(weighted) / sum(counts)));
  for (const key of Object.keys(series[0]?.values ?? {})) {
    const values = all(key);
    if (!/^(p\(.+\)|med)$/.test(key) || values.length < series.length) continue;
    const [least, most] = [Math.min(...values), Math.max(...values)];
    const expected = least === most ? `${least}` : `from ${least} to ${most}`;
    merged.set(key, { least: least * (1 - histogramError), most: most * (1 + histogramError), expected });
  }
  return merged;
}
