import type { Extractor } from "@bearhug/sdk";

import type { Extraction } from "../capture-model.ts";
import { objectOf, quoteText } from "./quote-text.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** What is taken from an answer, a line each. */
export function writeExtractions(
  answer: string,
  extractions: readonly Extraction[],
  vocabulary: Vocabulary,
): string[] {
  return extractions.map(({ name, from }) => {
    vocabulary.needs.add("extract");
    const identifier = vocabulary.extracted.get(name) ?? "";
    return `const ${identifier} = extract(${answer}, ${writeExtractor(from)});`;
  });
}

function writeExtractor(extractor: Extractor): string {
  if ("json" in extractor) return objectOf([["json", quoteText(extractor.json)]]);
  if ("meta" in extractor) return objectOf([["meta", quoteText(extractor.meta)]]);
  if ("header" in extractor) return objectOf([["header", quoteText(extractor.header)]]);
  if ("query" in extractor) return objectOf([["query", quoteText(extractor.query)]]);
  if ("segment" in extractor) return objectOf([["segment", String(extractor.segment)]]);
  const nth = extractor.nth === undefined ? [] : [["nth", String(extractor.nth)] as const];
  if ("field" in extractor) return objectOf([["field", quoteText(extractor.field)], ...nth]);
  return objectOf([["between", `[${extractor.between.map(quoteText).join(", ")}]`], ...nth]);
}
