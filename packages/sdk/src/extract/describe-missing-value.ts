import { quote } from "@bearhug/text/printable";
import { addressParameters, addressSegments, redirectedAddress } from "./address-values.ts";
import type { ExtractionSource, ValidExtractor } from "./extractor.ts";
import { parseJsonPath, valueAt, writeJsonPath } from "./json-path.ts";
import { type HtmlValue, walkHtml } from "./walk-html.ts";

const maxNames = 10;
const maxNameLength = 40;

/** Describes the value that was looked for, such as `form field "csrf"`. */
export function describeSought(extractor: ValidExtractor): string {
  switch (extractor.kind) {
    case "json":
      return extractor.name === "" ? "JSON value" : `JSON value at ${shorten(extractor.name)}`;
    case "field":
      return `${ordinal(extractor.nth)}form field ${quoteShort(extractor.name)}`;
    case "meta":
      return `meta element ${quoteShort(extractor.name)}`;
    case "header":
      return `header ${quoteShort(extractor.name)}`;
    case "query":
      return `parameter ${quoteShort(extractor.name)}`;
    case "segment":
      return `segment ${extractor.nth} of the URL`;
    case "between":
      return `${ordinal(extractor.nth)}text between ${quoteShort(extractor.left)} and ${quoteShort(extractor.right)}`;
  }
}

/** Lists the names that the response has instead. It shows no values, which may be secrets. */
export function describeAlternatives(
  answer: ExtractionSource,
  extractor: ValidExtractor,
  headers: Iterable<readonly [name: string, value: string]>,
): string {
  switch (extractor.kind) {
    case "json":
      return describeJson(answer, extractor.name);
    case "field":
      return list("its form fields are", "it has no form fields", htmlNames(answer.text(), "field"));
    case "meta":
      return list("its meta elements are", "it has no meta elements", htmlNames(answer.text(), "meta"));
    case "header":
      return list("its headers are", "it has no headers", namesOf(headers));
    case "query":
      return list("its parameters are", "its URL has none", parameterNames(answer));
    case "segment":
      return describePath(redirectedAddress(answer));
    case "between":
      return answer.text().includes(extractor.left)
        ? `its body has ${quoteShort(extractor.left)}, but not followed by the other text often enough`
        : `its body (${answer.text().length} characters) does not have ${quoteShort(extractor.left)}`;
  }
}

function describePath(address: string | null): string {
  if (address === null) return "it was not redirected, and has no location header";
  return `its path has ${addressSegments(address).length}`;
}

function describeJson(answer: ExtractionSource, path: string): string {
  let document: unknown;
  try {
    document = answer.json();
  } catch {
    const type = answer.header("content-type");
    const length = answer.text().length;
    return `its body is not JSON (${length} characters${type === null ? "" : `, ${shorten(type)}`})`;
  }
  const keys = parseJsonPath(path);
  const found = valueAt(document, keys);
  if (found.kind === "value") return "";
  const where = found.depth === 0 ? "it" : shorten(writeJsonPath(keys.slice(0, found.depth)));
  return `${where} is ${describeKind(found.what)}`;
}

function describeKind(what: unknown): string {
  if (what === null) return "null";
  if (Array.isArray(what)) return `an array of ${what.length}`;
  if (typeof what !== "object") return `a ${typeof what}`;
  return list("an object with", "an empty object", Object.keys(what));
}

function htmlNames(html: string, kind: HtmlValue["kind"]): string[] {
  const names = new Set<string>();
  walkHtml(html, (found) => {
    if (found.kind === kind) names.add(found.name);
    return names.size > maxNames;
  });
  return [...names];
}

function parameterNames(answer: ExtractionSource): string[] {
  // A parameter without a value may be a secret: a token right after the question mark.
  return addressParameters(answer)
    .filter(([, value]) => value !== "")
    .map(([name]) => name);
}

function namesOf(headers: Iterable<readonly [name: string, value: string]>): string[] {
  return Array.from(headers, ([name]) => name);
}

function list(before: string, none: string, names: readonly string[]): string {
  const unique = [...new Set(names)];
  if (unique.length === 0) return none;
  const shown = unique.slice(0, maxNames).map(quoteShort).join(", ");
  return `${before} ${shown}${unique.length > maxNames ? ", …" : ""}`;
}

function quoteShort(text: string): string {
  return quote(text.length > maxNameLength ? `${text.slice(0, maxNameLength)}…` : text);
}

/** Like `quoteShort` without the quotes, for JSON paths and media types. */
function shorten(text: string): string {
  return quoteShort(text).slice(1, -1).replaceAll('\\"', '"');
}

function ordinal(nth: number): string {
  return nth === 1 ? "" : `${nth}. `;
}
