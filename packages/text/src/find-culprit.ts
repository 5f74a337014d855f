/** A part of a value, by the keys that lead to it. */
export interface Culprit {
  readonly path: readonly (string | number)[];
  readonly value: unknown;
  /** True if the part is an object that contains it. */
  readonly isCircular: boolean;
}

/**
 * Finds out why `convert` throws for a value: returns the innermost part for which it also throws.
 * @throws what a getter of the value throws
 */
export function findCulprit(root: unknown, convert: (value: unknown) => unknown): Culprit {
  const path: (string | number)[] = [];
  const holders = new Set<object>();
  let value = root;
  while (typeof value === "object" && value !== null) {
    if (holders.has(value)) return { path, value, isCircular: true };
    holders.add(value);
    const parts = new Map<string, unknown>(Object.entries(value));
    const key = [...parts.keys()].find((one) => fails(parts.get(one), convert));
    if (key === undefined) break;
    path.push(Array.isArray(value) ? Number(key) : key);
    value = parts.get(key);
  }
  return { path, value, isCircular: false };
}

function fails(value: unknown, convert: (value: unknown) => unknown): boolean {
  try {
    convert(value);
    return false;
  } catch {
    return true;
  }
}
