/**
 * Serializes values of options as JSON: plain objects and arrays, with values that JSON cannot represent:
 * addresses, bytes, infinite numbers and NaN.
 */
export function writeValue(value: unknown): string {
  return JSON.stringify(toJson(value));
}

/** @throws {SyntaxError} for a text that `writeValue` did not write */
export function readValue(text: string): unknown {
  return fromJson(JSON.parse(text));
}

/** The key of an object that represents a value of another kind. */
const kindKey = "$";

function tagged(kind: string, value: unknown): object {
  return { [kindKey]: kind, value };
}

function toJson(value: unknown): unknown {
  if (value === undefined) return tagged("undefined", null);
  if (typeof value === "number")
    return Number.isFinite(value) && !Object.is(value, -0) ? value : tagged("number", writeNumber(value));
  if (typeof value !== "object" || value === null) {
    if (typeof value === "function" || typeof value === "symbol" || typeof value === "bigint")
      throw new TypeError(`a ${typeof value} cannot be sent to another machine`);
    return value;
  }
  if (Array.isArray(value)) return value.map(toJson);
  if (value instanceof URL) return tagged("url", value.href);
  if (value instanceof Uint8Array) return tagged("bytes", Buffer.from(value).toString("base64"));
  const entries = Object.entries(value).filter(([, one]) => one !== undefined);
  const plain = fromEntries(entries.map(([key, one]) => [key, toJson(one)]));
  return Object.hasOwn(plain, kindKey) ? tagged("object", plain) : plain;
}

function writeNumber(value: number): string {
  return Object.is(value, -0) ? "-0" : String(value);
}

function fromJson(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(fromJson);
  const entries: [string, unknown][] = Object.entries(value);
  const kind = entries.find(([key]) => key === kindKey);
  return kind === undefined
    ? plainFrom(entries)
    : fromTagged(kind[1], entries.find(([key]) => key === "value")?.[1]);
}

function fromTagged(kind: unknown, value: unknown): unknown {
  if (kind === "undefined") return undefined;
  if (kind === "number") return Number(value);
  if (kind === "url") return new URL(String(value));
  if (kind === "bytes") return new Uint8Array(Buffer.from(String(value), "base64"));
  if (kind === "object" && typeof value === "object" && value !== null)
    return plainFrom(Object.entries(value));
  throw new SyntaxError(`${JSON.stringify(kind)} is no kind of value`);
}

function plainFrom(entries: readonly (readonly [string, unknown])[]): object {
  return fromEntries(entries.map(([key, one]) => [key, fromJson(one)]));
}

/** Creates an object whose keys become own properties, even `__proto__`. */
function fromEntries(entries: readonly (readonly [string, unknown])[]): object {
  return Object.fromEntries(entries);
}
