/**
 * The same text, without the longer one that it may be a piece of, such as a page: V8 would keep that in memory with it.
 * Cutting makes one flat text of what was joined, which is a copy; as a buffer and back it would take twice as long.
 */
export function detachedText(piece: string): string {
  return ` ${piece}`.slice(1);
}
