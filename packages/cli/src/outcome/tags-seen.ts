import { isBuiltInTag, type ValidatedThreshold } from "@bearhug/sdk/internal";

import type { SeriesStore } from "../metrics/series-store.ts";

/** Values by tag, in the order in which they were first seen. */
export type TagsSeen = ReadonlyMap<string, ReadonlySet<string>>;

/** The tags that the samples of a metric carried. */
export function tagsSeen(store: SeriesStore, metric: string): TagsSeen {
  const seen = new Map<string, Set<string>>();
  for (const { tags, metrics } of store.all()) {
    if (!metrics.has(metric)) continue;
    for (const [tag, value] of Object.entries(tags))
      seen.set(tag, (seen.get(tag) ?? new Set<string>()).add(value));
  }
  return seen;
}

/**
 * True for a threshold that leaves out the samples with a tag which no sample of the run carried: the filter leaves out
 * nothing, as with a misspelt tag. Tags of bearhug's own may be absent, such as `page` in a run without pages.
 */
export function leavesOutNothing(
  { filters, allowEmpty }: Pick<ValidatedThreshold, "filters" | "allowEmpty">,
  store: SeriesStore,
): boolean {
  if (allowEmpty) return false;
  const unknown = filters.filter(({ tag, operator }) => operator === "notEquals" && !isBuiltInTag(tag));
  return unknown.some(({ tag }) => ![...store.all()].some(({ tags }) => Object.hasOwn(tags, tag)));
}
