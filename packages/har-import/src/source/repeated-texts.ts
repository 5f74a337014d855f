import type { CapturedRequest, JsonShape } from "../capture-model.ts";
import { knownText } from "../value.ts";
import type { Identifiers } from "./identifiers.ts";

/** Shorter texts are as easily read where they stand. */
const shortest = 80;

/** Long texts of JSON bodies that are sent more than once, such as a query of GraphQL, with a name for each. */
export function findRepeatedTexts(
  requests: readonly CapturedRequest[],
  identifiers: Identifiers,
): Map<string, string> {
  const seen = new Map<string, { readonly name: string; count: number }>();
  for (const { body } of requests) {
    if (body?.kind === "json") countTexts(body.root, seen);
  }
  const repeated = [...seen].filter(([, { count }]) => count > 1);
  return new Map(repeated.map(([text, { name }]) => [text, identifiers.take(name || "text")] as const));
}

function countTexts(shape: JsonShape, seen: Map<string, { readonly name: string; count: number }>): void {
  if (shape.kind === "list") for (const item of shape.items) countTexts(item, seen);
  if (shape.kind === "object") for (const [, value] of shape.fields) countTexts(value, seen);
  if (shape.kind !== "string") return;
  const text = knownText(shape.atom.value) ?? "";
  if (text.length < shortest) return;
  const known = seen.get(text);
  if (known === undefined) seen.set(text, { name: shape.atom.name, count: 1 });
  else known.count++;
}
