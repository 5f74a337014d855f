/**
 * Makes a value when it is first asked for. Schemas take long to build: with each in a `once`, a thread that validates nothing
 * starts without them.
 */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}
