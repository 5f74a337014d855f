import type { JsonPath } from "./json-path.ts";

/** The result of looking up a path in a JSON document. */
export type Found =
  | { readonly kind: "value"; readonly text: string }
  /** Something else than a text, number or boolean, or where the path ends too early: after `depth` of its keys. */
  | { readonly kind: "other"; readonly depth: number; readonly what: unknown };

/** Walks along a path. Only what the document itself has is found, never what every object has. */
export function valueAt(document: unknown, path: JsonPath): Found {
  let here = document;
  for (const [depth, key] of path.entries()) {
    const next = step(here, key);
    if (next === undefined) return { kind: "other", depth, what: here };
    here = next;
  }
  return typeof here === "string" || typeof here === "number" || typeof here === "boolean"
    ? { kind: "value", text: String(here) }
    : { kind: "other", depth: path.length, what: here };
}

/** JSON knows no undefined: it stands for nothing. */
function step(from: unknown, key: string | number): unknown {
  if (typeof key === "number") return Array.isArray(from) ? from[key] : undefined;
  if (typeof from !== "object" || from === null || Array.isArray(from)) return undefined;
  return Object.getOwnPropertyDescriptor(from, key)?.value;
}
