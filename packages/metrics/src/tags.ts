/**
 * The tags that identify a time series: `scenario`, `page`, `group`, `name`, `method`,
 * `status`, … and own tags.
 */
export type Tags = Readonly<Record<string, string>>;

/** Returns a key for tags, the same for any order of them. */
export function tagsKey(tags: Tags): string {
  const namesAndValues: (string | undefined)[] = [];
  for (const name of Object.keys(tags).sort()) namesAndValues.push(name, tags[name]);
  return JSON.stringify(namesAndValues);
}

const keysOfKept = new WeakMap<Tags, string>();

/** Returns the key of tags that are kept and never change; it is computed once. */
export function keyOfKept(tags: Tags): string {
  let key = keysOfKept.get(tags);
  if (key === undefined) keysOfKept.set(tags, (key = tagsKey(tags)));
  return key;
}

/** The tags by which results group the details of operations, such as the phases of requests. */
export const detailTags: readonly string[] = ["scenario", "page"];

/** Returns the tags that have these names. */
export function pickTags(tags: Tags, names: readonly string[]): Tags {
  const picked: Record<string, string> = {};
  for (const name of names) {
    const value = tags[name];
    if (value !== undefined) picked[name] = value;
  }
  return picked;
}

const builtInTags: ReadonlySet<string> = new Set([
  "scenario",
  "page",
  "group",
  "name",
  "method",
  "status",
  "protocol",
  "expected_response",
  "variant",
]);

/** Returns true for a tag that bearhug sets on samples, so that a test can't set it. */
export function isBuiltInTag(name: string): boolean {
  return builtInTags.has(name);
}
