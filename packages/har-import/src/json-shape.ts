import { tryJson } from "@bearhug/text/try-json";

import type { JsonShape } from "./capture-model.ts";
import { knownText, textValue } from "./value.ts";

/** JSON that is nested deeper is not form data: its text is sent as it is. */
const maxDepth = 64;

/** Parses a JSON text into a shape with atoms; null if it is not JSON, or nested too deep. */
export function parseJsonShape(text: string): JsonShape | null {
  const value = tryJson(text);
  return value === undefined ? null : toShape(value, "", 0);
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

/**
 * Returns the text that the client writes for a JSON value; null if a part is known only when the test runs.
 */
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

/** In a text that is known to be JSON: its strings, which are skipped, and its numbers. */
const tokens = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;
/** At least 16 digits before the point; a number with fewer is always exact. */
const long = /^-?\d{16}/;

/** Returns true if JavaScript keeps the numbers of a JSON text exact: ids beyond 2^53 would change. */
export function hasExactNumbers(json: string): boolean {
  for (const [token] of json.matchAll(tokens)) {
    if (token.startsWith('"')) continue;
    const value = Number(token);
    if (!Number.isFinite(value) || (long.test(token) && String(value) !== token)) return false;
  }
  return true;
}
