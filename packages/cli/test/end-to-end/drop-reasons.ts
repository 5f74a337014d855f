import type { TestResult } from "@bearhug/sdk";

/** Returns how many iterations were dropped for each reason, according to the series. */
export function dropReasons({ series }: TestResult): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { metric, tags, values } of series) {
    if (metric !== "dropped_iterations" || values["count"] === 0) continue;
    const { reason = "(none)" } = tags;
    counts[reason] = (counts[reason] ?? 0) + (values["count"] ?? 0);
  }
  return counts;
}
