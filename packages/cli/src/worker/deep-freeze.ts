/** Freezes a structured-clonable value with all that it holds: VUs of a worker share one copy. */
export function deepFreeze(value: unknown): unknown {
  const pending = [value];
  const seen = new Set<object>();
  while (pending.length > 0) {
    const next = pending.pop();
    // Typed arrays cannot be frozen; they are shared as they are.
    if (typeof next !== "object" || next === null || seen.has(next) || ArrayBuffer.isView(next)) continue;
    seen.add(next);
    Object.freeze(next);
    for (const part of partsOf(next)) pending.push(part);
  }
  return value;
}

function* partsOf(value: object): Iterable<unknown> {
  if (value instanceof Map) {
    for (const [key, part] of value) yield* [key, part];
  } else if (value instanceof Set) yield* value;
  else yield* Object.values(value);
}
