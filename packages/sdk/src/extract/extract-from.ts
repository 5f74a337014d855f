import { addressParameters, addressSegments, redirectedAddress, segmentAt } from "./address-values.ts";
import {
  type ExtractionSource,
  type Extractor,
  validateExtractor,
  type ValidExtractor,
} from "./extractor.ts";
import { parseJsonPath, valueAt } from "./json-path.ts";
import { type HtmlValue, walkHtml } from "./walk-html.ts";

/**
 * Returns the value that an extractor finds in a response; null if there is none.
 * @throws {InvalidExtractorError}
 */
export function extractFrom(answer: ExtractionSource, extractor: Extractor): string | null {
  return findValue(answer, validateExtractor(extractor));
}

export function findValue(answer: ExtractionSource, extractor: ValidExtractor): string | null {
  switch (extractor.kind) {
    case "json":
      return findInJson(answer, extractor.name);
    case "field":
      return findInHtml(answer.text(), "field", extractor.name, extractor.nth);
    case "meta":
      return findInHtml(answer.text(), "meta", extractor.name, 1);
    case "header":
      return answer.header(extractor.name);
    case "query":
      return findInAddresses(answer, extractor.name);
    case "segment":
      return segmentAt(addressSegments(redirectedAddress(answer) ?? ""), extractor.nth);
    case "between":
      return textBetween(answer.text(), extractor.left, extractor.right, extractor.nth);
  }
}

function findInJson(answer: ExtractionSource, path: string): string | null {
  const keys = parseJsonPath(path);
  try {
    const found = valueAt(answer.json(), keys);
    if (found.kind === "other") return null;
    if (!found.mayBeRounded) return found.text;
    const exact = valueAt(parseExactly(answer.text()), keys);
    return exact.kind === "value" ? exact.text : found.text;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Parses JSON, with the digits of integers beyond 2^53: JavaScript would round these. */
function parseExactly(json: string): unknown {
  return JSON.parse(json, (_key, value: unknown, context?: { readonly source?: string }) => {
    const source = context?.source ?? "";
    return typeof value === "number" && !Number.isSafeInteger(value) && /^-?\d+$/.test(source)
      ? source
      : value;
  });
}

function findInHtml(html: string, kind: HtmlValue["kind"], name: string, nth: number): string | null {
  let value: string | null = null;
  let left = nth;
  walkHtml(html, (found) => {
    if (found.kind !== kind || found.name !== name || --left > 0) return false;
    value = found.value;
    return true;
  });
  return value;
}

function findInAddresses(answer: ExtractionSource, name: string): string | null {
  return addressParameters(answer).find(([key]) => key === name)?.[1] ?? null;
}

/**
 * Returns the nth shortest text between two others, counted from 1; null if there is none. The search for the
 * next one starts after the right text, so that equal delimiters, such as quotation marks, are used in pairs.
 */
function textBetween(text: string, left: string, right: string, nth: number): string | null {
  let from = 0;
  for (let count = 1; ; count++) {
    const first = text.indexOf(left, from);
    if (first < 0) return null;
    const end = text.indexOf(right, first + left.length);
    if (end < 0) return null;
    if (count === nth) {
      const nearest = text.lastIndexOf(left, end - left.length);
      return text.slice(nearest + left.length, end);
    }
    from = end + right.length;
  }
}
