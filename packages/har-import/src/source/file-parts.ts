import type { CaptureModel } from "../capture-model.ts";
import { headerLines, type HeaderSets, liftHeaders } from "./header-sets.ts";
import { findRepeatedTexts } from "./repeated-texts.ts";
import { writeBody } from "./request-body.ts";
import { requestsOf } from "./request-values.ts";
import { createVocabulary, type Vocabulary } from "./vocabulary.ts";

/** What the requests of a file share. */
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
