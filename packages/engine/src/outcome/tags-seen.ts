import type { SeriesStore } from "@bearhug/metrics/series-store";

/** Values by tag, in the order in which they were first seen. */
export type TagsSeen = ReadonlyMap<string, ReadonlySet<string>>;

/** Returns the tags that the samples of a metric carried. */
export function tagsSeen(store: SeriesStore, metric: string): TagsSeen {
  const seen = new Map<string, Set<string>>();
  for (const { tags, metrics } of store.all()) {
    if (!metrics.has(metric)) continue;
    for (const [tag, value] of Object.entries(tags))
      seen.set(tag, (seen.get(tag) ?? new Set<string>()).add(value));
  }
  return seen;
}
