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

/** Whether bearhug itself sets this tag on samples, so that a test can't. */
export function isBuiltInTag(name: string): boolean {
  return builtInTags.has(name);
}
