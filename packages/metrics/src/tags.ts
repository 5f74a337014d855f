/** The tags that tell time series apart: `scenario`, `page`, `group`, `name`, `method`, `status`, … and own tags. */
export type Tags = Readonly<Record<string, string>>;

/** The same tags in any order give the same key. */
export function tagsKey(tags: Tags): string {
  return JSON.stringify(Object.entries(tags).sort(([left], [right]) => (left < right ? -1 : 1)));
}
