/**
 * Returns a function that makes a value on its first call and returns the same value afterwards. Schemas are
 * slow to build: with each in a `once`, a thread that validates nothing starts without them.
 */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}
