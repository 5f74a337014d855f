import { writeJsonPath } from "@bearhug/sdk/internal";
import { describeValue, isPlain } from "@bearhug/text/describe-value";

/** A part of the data, and what holds it. */
interface Part {
  readonly value: unknown;
  readonly key: string | number;
  readonly holder: Part | null;
}

/**
 * Names the first part of setup's data that cannot be copied to another thread: `data.users[0].pick is a
 * function`. Returns null if none is found, as with a getter that throws.
 */
export function describeUncopied(data: unknown): string | null {
  try {
    const part = findUncopied(data);
    return part === null ? null : `${placeOf(part)} is ${describeValue(part.value)}`;
  } catch {
    // Getters and proxies of the test may throw.
    return null;
  }
}

function findUncopied(data: unknown): Part | null {
  const seen = new Set<unknown>();
  const parts: Part[] = [{ value: data, key: "", holder: null }];
  for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
    const { value } = part;
    if (typeof value === "function" || typeof value === "symbol") return part;
    if (typeof value !== "object" || value === null || seen.has(value)) continue;
    seen.add(value);
    const inner = partsOf(value, part);
    if (inner.length === 0 && !isPlain(value) && !canBeCopied(value)) return part;
    for (const one of inner.toReversed()) parts.push(one);
  }
  return null;
}

function partsOf(value: object, holder: Part): Part[] {
  if (ArrayBuffer.isView(value)) return [];
  const entries: readonly (readonly [unknown, unknown])[] =
    value instanceof Map || value instanceof Set ? [...value.entries()] : Object.entries(value);
  return entries.map(([key, one], index) => {
    return { value: one, key: typeof key === "string" && !Array.isArray(value) ? key : index, holder };
  });
}

function canBeCopied(value: unknown): boolean {
  try {
    structuredClone(value);
    return true;
  } catch {
    return false;
  }
}

/** The number of keys of a path that are shown: the innermost ones. */
const maxKeys = 10;

function placeOf(part: Part): string {
  const path: (string | number)[] = [];
  for (let one = part; one.holder !== null && path.length < maxKeys; one = one.holder) path.push(one.key);
  if (path.length === 0) return "it";
  const place = writeJsonPath(path.toReversed());
  return `data${place.startsWith("[") ? "" : "."}${place}`;
}
