const builtInTags: ReadonlySet<string> = new Set([
  "scenario",
  "page",
  "group",
  "name",
  "method",
  "status",
  "protocol",
  "expected_response",
]);

/** Returns true for a tag that bearhug sets on samples, and a test can't. */
export function isBuiltInTag(name: string): boolean {
  return builtInTags.has(name);
}
