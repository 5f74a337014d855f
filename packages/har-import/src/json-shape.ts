import type { JsonShape } from "./capture-model.ts";
import { knownText, textValue } from "./value.ts";

/** Deeper values are no form that a person filled in: their text is sent as it is. */
const maxDepth = 64;

/** A JSON text as a shape with atoms; null where it is none, or nested too deep. */
export function parseJsonShape(text: string): JsonShape | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  return toShape(value, "", 0);
}

function toShape(value: unknown, name: string, depth: number): JsonShape | null {
  if (depth > maxDepth) return null;
  if (typeof value === "string")
    return { kind: "string", atom: { name, value: textValue(value), written: null } };
  if (typeof value === "number")
    return { kind: "number", atom: { name, value: textValue(JSON.stringify(value)), written: null } };
  if (typeof value === "boolean" || value === null) return { kind: "literal", value };
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => toShape(item, name, depth + 1));
    return items.includes(null) ? null : { kind: "list", items: items.filter((item) => item !== null) };
  }
  if (typeof value !== "object") return null;
  const fields: (readonly [string, JsonShape])[] = [];
  for (const [key, inner] of Object.entries(value)) {
    const shape = toShape(inner, key, depth + 1);
    if (shape === null) return null;
    fields.push([key, shape]);
  }
  return { kind: "object", fields };
}

/** A JSON value as the text that the client writes for it; null where a part is known only when the test runs. */
export function knownJson(shape: JsonShape): string | null {
  switch (shape.kind) {
    case "literal":
      return String(shape.value);
    case "string": {
      const text = knownText(shape.atom.value);
      return text === null ? null : JSON.stringify(text);
    }
    case "number":
      return knownText(shape.atom.value);
    case "list": {
      const items = shape.items.map(knownJson);
      return items.includes(null) ? null : `[${items.join(",")}]`;
    }
    case "object": {
      const fields = shape.fields.map(([key, value]) => [JSON.stringify(key), knownJson(value)] as const);
      if (fields.some(([, value]) => value === null)) return null;
      return `{${fields.map(([key, value]) => `${key}:${value ?? ""}`).join(",")}}`;
    }
  }
}

/** In JSON that is known to be some: its strings, which are passed by, and its numbers. */
const tokens = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;
/** Digits before the point; fewer are always exact. */
const long = /^-?\d{16}/;

/** Returns true if JavaScript writes the numbers of a JSON text unchanged: ids beyond 2^53 become other ones. */
export function hasExactNumbers(json: string): boolean {
  for (const [token] of json.matchAll(tokens)) {
    if (token.startsWith('"')) continue;
    const value = Number(token);
    if (!Number.isFinite(value) || (long.test(token) && String(value) !== token)) return false;
  }
  return true;
}
