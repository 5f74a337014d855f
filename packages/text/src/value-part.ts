/** A part of a value, such as a field of an object in a list. */
export interface ValuePart {
  readonly value: unknown;
  readonly key: string | number;
  /** Null for the whole value. */
  readonly holder: ValuePart | null;
}

/** The number of keys of a path that are shown: the innermost ones. */
const maxKeys = 10;

/** Returns the keys that lead to a part. If there are many, these are the innermost ones. */
export function keysTo(part: ValuePart): (string | number)[] {
  const keys: (string | number)[] = [];
  for (let one = part; one.holder !== null && keys.length < maxKeys; one = one.holder) keys.push(one.key);
  return keys.toReversed();
}
