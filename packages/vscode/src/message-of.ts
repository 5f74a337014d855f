/** Describes a thrown value to the user, in a sentence. */
export function messageOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const isMissing = "code" in thrown && thrown.code === "ENOENT" && "path" in thrown;
  return isMissing
    ? `${String(thrown.path)} cannot be started. Set "bearhug.node" to a Node.js 22.19 or later.`
    : thrown.message;
}
