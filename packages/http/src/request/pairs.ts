/** Names and values, of an object or of what iterates over pairs: a `Headers`, `FormData`, `Map`, list. */
export function pairsOf<Value>(
  fields: Readonly<Record<string, Value>> | Iterable<readonly [name: string, value: Value]>,
): Iterable<readonly [name: string, value: Value]> {
  return isIterable(fields) ? fields : Object.entries(fields);
}

/** Returns true for an object that can be iterated over, again and again. */
export function isIterable(value: object): value is Iterable<unknown> {
  return Symbol.iterator in value && !("next" in value);
}
