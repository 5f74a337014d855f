import type { CapturedRequest, CaptureModel, JsonShape } from "../capture-model.ts";
import type { Identifiers } from "../identifiers.ts";
import { knownText } from "../value.ts";
import { headerLines, type HeaderSets, liftHeaders } from "./header-sets.ts";
import { writeBody } from "./request-body.ts";
import { createVocabulary, requestsOf, type Vocabulary } from "./vocabulary.ts";

/** The shared parts of a test file. */
export interface FileParts {
  readonly vocabulary: Vocabulary;
  readonly headers: HeaderSets;
  /** Long texts that repeat, such as a query of GraphQL: their names. */
  readonly texts: ReadonlyMap<string, string>;
}

export function planParts(model: CaptureModel): FileParts {
  const vocabulary = createVocabulary(model);
  const requests = model.steps.flatMap(requestsOf);
  const texts = findRepeatedTexts(requests, vocabulary.identifiers);
  const lines = requests.map((request) =>
    headerLines(request, writeBody(request, vocabulary, texts)?.contentType ?? null),
  );
  const headers = liftHeaders(lines, vocabulary.identifiers);
  // Nothing is written yet: what was looked at needs nothing.
  vocabulary.needs.clear();
  return { vocabulary, headers, texts };
}

/** Shorter texts are as easily read where they stand. */
const shortest = 80;

/** Long texts of JSON bodies that are sent more than once, such as a query of GraphQL, with a name for each. */
function findRepeatedTexts(
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
