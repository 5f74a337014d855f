/**
 * Returns a copy of a string that may be a slice of a longer one, such as a page: V8 would keep the longer
 * one in memory with the slice. Slicing a concatenation makes V8 flatten it, which copies it; converting to a
 * buffer and back takes twice as long.
 */
export function detachedText(piece: string): string {
  return ` ${piece}`.slice(1);
}
