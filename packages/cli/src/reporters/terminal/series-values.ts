import type { SeriesResult, TestResult } from "@bearhug/sdk";

/**
 * A metric's values for all samples that carry one tag, whatever else they carry. Percentiles cannot be averaged, so
 * this is the series that has that tag alone or, where no other has it, the only one; undefined where there is neither.
 */
export function valuesByTag(
  { series }: TestResult,
  metric: string,
  tag: string,
  value: string,
): SeriesResult["values"] | undefined {
  const tagged = series.filter((candidate) => candidate.metric === metric && candidate.tags[tag] === value);
  const alone = tagged.find(({ tags }) => Object.keys(tags).length === 1);
  return (alone ?? (tagged.length === 1 ? tagged[0] : undefined))?.values;
}

/** Every value that a tag has in the series of a metric, in their order. */
export function tagValues({ series }: TestResult, metric: string, tag: string): string[] {
  const values = series.flatMap((candidate) => (candidate.metric === metric ? [candidate.tags[tag]] : []));
  return [...new Set(values.filter((value) => value !== undefined))];
}
