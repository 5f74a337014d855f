import { parseMetricSelector, type TagFilter, type ValidatedThreshold } from "@bearhug/sdk/internal";

import type { Hide } from "../secret-mask.ts";

const signs: Readonly<Record<TagFilter["operator"], string>> = {
  equals: ":",
  notEquals: "!:",
  matches: "~:",
};

/** A threshold whose tags' values are masked as those of the samples are, so that it still finds them. */
export function maskThreshold(threshold: ValidatedThreshold, hide: Hide): ValidatedThreshold {
  const key = maskKey(threshold.key, hide);
  if (key === threshold.key) return threshold;
  return { ...threshold, key, filters: parseMetricSelector(key).filters };
}

/** The key of a threshold, its tags' values masked. */
export function maskKey(key: string, hide: Hide): string {
  const { metric, filters } = parseMetricSelector(key);
  const masked = filters.map((filter) => maskFilter(filter, hide));
  if (masked.every((value, index) => value === filters[index]?.value)) return key;
  const written = filters.map(
    ({ tag, operator }, index) => `${tag}${signs[operator]}${(masked[index] ?? "").replaceAll(",", "\\,")}`,
  );
  return `${metric}{${written.join(",")}}`;
}

function maskFilter({ operator, value }: TagFilter, hide: Hide): string {
  const masked: string = hide(value);
  if (operator !== "matches" || masked === value) return masked;
  const source = masked.replaceAll("*".repeat(3), "\\*\\*\\*");
  try {
    return new RegExp(source).source;
  } catch {
    // A secret that began within a group or class: what is left of it is no expression.
    return "\\*\\*\\*";
  }
}
