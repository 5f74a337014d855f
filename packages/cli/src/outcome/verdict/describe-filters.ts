import { closestName, isBuiltInTag, matchesTags, parseMetricSelector } from "@bearhug/sdk/internal";

import type { TagsSeen } from "../tags-seen.ts";

const mostNamed = 8;

/** Says why the filters of a threshold selected no sample; empty where the metric has none at all. */
export function describeFilters(key: string, seen: TagsSeen): string {
  const { metric, filters } = parseMetricSelector(key);
  if (seen.size === 0) return "";
  for (const filter of filters) {
    const { tag } = filter;
    const values = seen.get(tag);
    // A tag of bearhug's own that is absent is left out by no filter that leaves samples out.
    if (values === undefined && filter.operator === "notEquals" && isBuiltInTag(tag)) continue;
    if (values === undefined) {
      const tags = [...seen.keys()];
      const meant = isBuiltInTag(tag) ? undefined : closestName(tag, tags);
      const hint = meant === undefined ? "" : `: did you mean ${meant}?`;
      return `; no sample of ${metric} has a tag ${tag}, only ${listed(tags)}${hint}`;
    }
    const selector = { metric, filters: [filter] };
    if (![...values].some((value) => matchesTags(selector, { [tag]: value })))
      return `; ${tag} was ${listed([...values])}`;
  }
  return "";
}

function listed(names: readonly string[]): string {
  const more = names.length - mostNamed;
  return `${names.slice(0, mostNamed).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
