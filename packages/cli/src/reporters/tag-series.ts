import type { SeriesResult, TestResult } from "@bearhug/sdk";

/**
 * The series of a metric that carry one tag alone: what is known of each page, or of each request name, as a whole.
 * The engine has merged them from all series with that tag, since percentiles cannot be averaged.
 */
export function seriesByTag(
  { series }: TestResult,
  metric: string,
  tag: string,
): ReadonlyMap<string, SeriesResult["values"]> {
  return new Map(
    series.flatMap(({ metric: own, tags, values }) => {
      const value = tags[tag];
      return own === metric && value !== undefined && Object.keys(tags).length === 1 ? [[value, values]] : [];
    }),
  );
}
