/**
 * Returns a copy of a string that may be a slice of a longer one, such as a page: V8 would keep the longer
 * one in memory with the slice. Slicing a concatenation makes V8 flatten it, which copies it; converting to a
 * buffer and back takes twice as long.
 */
export function detachedText(piece: string): string {
  return ` ${piece}`.slice(1);
}

/**
 * Returns V8's only copy of a text, detached like that of `detachedText`. The constants of a test's code are such
 * copies too: finding one by another in a Map compares two addresses, a tenth of the time of comparing texts.
 */
export function internedText(piece: string): string {
  // Without a prototype it is a dictionary: V8 would make and keep a shape for each name in another object.
  const names = Object.create(null) as Record<string, null>;
  names[detachedText(piece)] = null;
  const [name = piece] = Object.keys(names);
  return name;
}
