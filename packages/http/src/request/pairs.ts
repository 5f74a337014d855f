/** Returns the names and values of an object or an iterable of pairs: `Headers`, `FormData`, `Map`, array. */
export function pairsOf<Value>(
  fields: Readonly<Record<string, Value>> | Iterable<readonly [name: string, value: Value]>,
): Iterable<readonly [name: string, value: Value]> {
  return isIterable(fields) ? fields : Object.entries(fields);
}

/** Returns true for an object that can be iterated repeatedly. */
export function isIterable(value: object): value is Iterable<unknown> {
  return Symbol.iterator in value && !("next" in value);
}
