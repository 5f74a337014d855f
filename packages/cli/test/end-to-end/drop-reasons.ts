import type { TestResult } from "@bearhug/sdk";

/** How many iterations were dropped for each reason, as the series tell. */
export function dropReasons({ series }: TestResult): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { metric, tags, values } of series) {
    if (metric !== "dropped_iterations" || values["count"] === 0) continue;
    const { reason = "(none)" } = tags;
    counts[reason] = (counts[reason] ?? 0) + (values["count"] ?? 0);
  }
  return counts;
}
