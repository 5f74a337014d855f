import {
  closestName,
  isBuiltInTag,
  type ValidatedTagFilter,
  type ValidatedThreshold,
} from "@bearhug/sdk/internal";

/** Tags that only requests have, and not the pages, groups and iterations that they belong to. */
const requestTags = ["name", "method", "status", "protocol", "expected_response"];
const iterationMetrics = new Set([
  ...["iterations", "iteration_duration", "iteration_response_time", "iteration_failed"],
  ...["dropped_iterations", "schedule_lag", "vu_wait", "vu_time_lost"],
]);
const visitMetrics = new Set(["pages", "page_duration", "page_bytes", "group_duration", "checks"]);

/** Filters of a threshold that can never select a sample, each with what to write instead. */
export function impossibleFilters({
  key,
  metric,
  filters,
  allowEmpty,
}: Pick<ValidatedThreshold, "key" | "metric" | "filters" | "allowEmpty">): string[] {
  if (allowEmpty) return [];
  return filters.flatMap((filter) => {
    const problem = lacksTag(metric, filter.tag) ?? impossibleValue(filter);
    return problem === null ? [] : [`Threshold "${key}": ${problem}`];
  });
}

function lacksTag(metric: string, tag: string): string | null {
  const lacking = [
    ...(iterationMetrics.has(metric) ? [...requestTags, "page", "group"] : []),
    ...(visitMetrics.has(metric) ? requestTags : []),
  ];
  if (!lacking.includes(tag)) return null;
  const others = requestTags.includes(tag) ? "requests" : `samples within a ${tag}`;
  return `samples of ${metric} have no tag ${tag}: only ${others} have it.`;
}

function impossibleValue({ tag, operator, value }: ValidatedTagFilter): string | null {
  if (operator === "matches") return null;
  switch (tag) {
    case "group":
      return value.startsWith("::")
        ? `groups have no :: before the first name, as they do in k6: write {group:${value.slice(2)}}.`
        : null;
    case "method":
      return value === value.toUpperCase()
        ? null
        : `methods are in capitals: write {method:${value.toUpperCase()}}.`;
    case "status":
      return /^\d+$/.test(value) ? null : `a status is a number, such as {status:200}.`;
    case "expected_response":
      return value === "true" || value === "false" ? null : `expected_response is true or false.`;
    default:
      return null;
  }
}

/** k6's tags that have another name here, or none. */
const tagsOfK6: ReadonlyMap<string, string | null> = new Map([
  ["url", "name"],
  ["proto", "protocol"],
  ...["subproto", "error", "error_code", "tls_version", "vu", "iter", "ip", "service"].map(
    (name) => [name, null] as const,
  ),
]);

const builtIn = ["scenario", "page", "group", ...requestTags];

/**
 * Says of filters on tags that only the test's own code could set that this may be a mistake. `ownTags` are those that the
 * test or the command line puts on all samples, or on those of a scenario.
 */
export function doubtfulFilters(
  { key, filters, allowEmpty }: Pick<ValidatedThreshold, "key" | "filters" | "allowEmpty">,
  ownTags: ReadonlySet<string>,
): string[] {
  if (allowEmpty) return [];
  return filters.flatMap(({ tag }) => {
    if (isBuiltInTag(tag) || ownTags.has(tag)) return [];
    const meant = tagsOfK6.has(tag) ? tagsOfK6.get(tag) : closestName(tag, builtIn);
    if (meant === undefined) return [];
    const hint = meant === null ? "" : ` Did you mean ${meant}?`;
    return [`threshold "${key}": no sample has a tag ${tag} unless the test sets it.${hint}`];
  });
}
