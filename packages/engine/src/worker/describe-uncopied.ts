import { writeJsonPath } from "@bearhug/sdk/internal";
import { describeValue, isPlain } from "@bearhug/text/describe-value";
import { keysTo, type ValuePart } from "@bearhug/text/value-part";

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

function findUncopied(data: unknown): ValuePart | null {
  const seen = new Set<unknown>();
  const parts: ValuePart[] = [{ value: data, key: "", holder: null }];
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

function partsOf(value: object, holder: ValuePart): ValuePart[] {
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

function placeOf(part: ValuePart): string {
  if (part.holder === null) return "it";
  const place = writeJsonPath(keysTo(part));
  return `data${place.startsWith("[") ? "" : "."}${place}`;
}
