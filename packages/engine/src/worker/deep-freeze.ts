/** Freezes a structured-clonable value and everything in it: the VUs of a worker share one copy. */
export function deepFreeze(value: unknown): unknown {
  const pending = [value];
  const seen = new Set<object>();
  while (pending.length > 0) {
    const next = pending.pop();
    // Typed arrays cannot be frozen; they are shared as they are.
    if (typeof next !== "object" || next === null || seen.has(next) || ArrayBuffer.isView(next)) continue;
    seen.add(next);
    if (next instanceof Map || next instanceof Set || next instanceof Date) refuseChanges(next);
    else if (next instanceof RegExp && (next.global || next.sticky)) matchWithCopies(next);
    Object.freeze(next);
    for (const part of partsOf(next)) pending.push(part);
  }
  return value;
}

/** Makes the methods that change a value throw: `Object.freeze` does not protect the contents of these. */
function refuseChanges(value: Map<unknown, unknown> | Set<unknown> | Date): void {
  const refuse = (): never => {
    throw new TypeError("data is frozen: all virtual users of a worker share it.");
  };
  const isChange = /^(set|add$|delete$|clear$)/;
  for (const name of Object.getOwnPropertyNames(Object.getPrototypeOf(value))) {
    if (isChange.test(name)) Object.defineProperty(value, name, { value: refuse });
  }
}

/**
 * Keeps a regular expression with the flag g or y usable: matching would set its `lastIndex`, which is frozen.
 * Copies match in its place. `exec` throws, because it is called in loops that need the last call's index.
 */
function matchWithCopies(pattern: RegExp): void {
  const copy = (): RegExp => new RegExp(pattern);
  const refuse = (): never => {
    throw new TypeError(
      "data is frozen: all virtual users of a worker share it. In place of exec use matchAll, or exec of a copy: new RegExp(pattern).",
    );
  };
  Object.defineProperties(pattern, {
    test: { value: (text: string) => copy().test(text) },
    exec: { value: refuse },
    [Symbol.match]: { value: (text: string) => text.match(copy()) },
    [Symbol.search]: { value: (text: string) => text.search(copy()) },
    // The second value may be a function, which `replace` types separately.
    [Symbol.replace]: { value: (text: string, by: string) => text.replace(copy(), by) },
  });
}

function* partsOf(value: object): Iterable<unknown> {
  if (value instanceof Map) {
    for (const [key, part] of value) yield* [key, part];
  } else if (value instanceof Set) yield* value;
  else yield* Object.values(value);
}
