import type { Extractor } from "@bearhug/sdk";
import type { KnownSecrets } from "./known-secrets.ts";
import { masked, maskText } from "./mask-text.ts";

/**
 * Where a value stands, told without secrets. Texts around it give up what is secret and all beyond, and may then fit
 * sooner; names that are secret themselves find nothing any more: better a value too few than a secret told.
 */
export function cleanExtractor(from: Extractor, known: KnownSecrets): Extractor {
  if ("json" in from) return { json: cleanPath(from.json, known) };
  if ("field" in from) return { ...from, field: maskText(from.field, known) };
  if ("meta" in from) return { meta: maskText(from.meta, known) };
  if ("header" in from) return { header: maskText(from.header, known) };
  if ("query" in from) return { query: maskText(from.query, known) };
  if ("segment" in from) return from;
  const [left, right] = from.between;
  return { ...from, between: [nearEnd(left, known), nearStart(right, known)] };
}

/** Key by key: together, keys that are names may look as random as a secret does. */
function cleanPath(path: string, known: KnownSecrets): string {
  const isHarmless = (key: string): boolean => maskText(key, known) === key;
  return known.find(path).length === 0 && path.split(/[.[\]]/).every(isHarmless) ? path : masked;
}

function nearEnd(text: string, known: KnownSecrets): string {
  if (maskText(text, known) === text) return text;
  const end = known.find(text).at(-1)?.end ?? 0;
  return maskText(text.slice(end), known);
}

function nearStart(text: string, known: KnownSecrets): string {
  if (maskText(text, known) === text) return text;
  const start = known.find(text)[0]?.start ?? text.length;
  return maskText(text.slice(0, start), known);
}
