import type { SeriesResult, TestResult } from "@bearhug/sdk";

/**
 * The series of a metric that carry one tag alone: what is known of each page, or of each request name, as a whole.
 * The engine has merged them from all series with that tag, since percentiles cannot be averaged.
 */
export function seriesByTag(
  { series }: TestResult,
  metric: string,
  tag: string,
): ReadonlyMap<string, SeriesResult> {
  return new Map(
    series.flatMap((one) => {
      const value = one.tags[tag];
      return one.metric === metric && value !== undefined && Object.keys(one.tags).length === 1
        ? [[value, one]]
        : [];
    }),
  );
}
