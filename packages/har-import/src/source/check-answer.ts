import { changingMethods } from "@bearhug/sdk/internal";
import type { Extractor } from "@bearhug/sdk";
import type { CapturedRequest, Extraction } from "../capture-model.ts";
import { anySegment, fitsPattern } from "../path-pattern.ts";
import { knownText } from "../value.ts";
import { objectOf, quoteText } from "./quote-text.ts";
import type { Vocabulary } from "./vocabulary.ts";

/**
 * The statuses that an answer may have; null where none was recorded. What the browser had in its cache (304) is
 * answered in full to a visitor who has nothing; `beside`, the statuses of the same wave, may then be so as well.
 */
export function expectedStatuses(
  { recordedStatus }: CapturedRequest,
  beside: ReadonlySet<number | null>,
): readonly number[] | null {
  if (recordedStatus === null || recordedStatus < 100) return null;
  const isCached = recordedStatus === 304 || (recordedStatus === 200 && beside.has(304));
  return isCached ? [200, 304] : [recordedStatus];
}

/** A check of answers that differ in nothing but their requests; nothing where there is nothing to check. */
export function writeStatusCheck(
  answer: string,
  expected: readonly number[] | null,
  vocabulary: Vocabulary,
): string[] {
  const status = writeStatus(expected, vocabulary);
  return status === null ? [] : [`check(${answer}, ${status});`];
}

/** The check of an answer's status, and of where redirects led; nothing where there is nothing to check. */
export function writeCheck(
  answer: string,
  expected: readonly number[] | null,
  vocabulary: Vocabulary,
  request: CapturedRequest,
): string[] {
  const status = writeStatus(expected, vocabulary);
  if (status === null) return [];
  const landing = writeLanding(request, vocabulary);
  return [`check(${answer}, ${landing === null ? status : `{ ...${status}, ...${landing} }`});`];
}

function writeStatus(expected: readonly number[] | null, vocabulary: Vocabulary): string | null {
  if (expected === null) return null;
  vocabulary.needs.add("check");
  vocabulary.needs.add("statusIs");
  return `statusIs(${expected.join(", ")})`;
}

function writeLanding(request: CapturedRequest, vocabulary: Vocabulary): string | null {
  const { landsOn, method } = request;
  if (landsOn === null) return null;
  if (!changingMethods.has(method)) {
    vocabulary.needs.add("endsAt");
    return `endsAt(${quoteText(landsOn)})`;
  }
  vocabulary.needs.add("redirectsTo");
  const form = formPath(request);
  const isTaken = form !== landsOn && fitsPattern(landsOn, form);
  return `redirectsTo(${[landsOn, ...(isTaken ? [form] : [])].map(quoteText).join(", ")})`;
}

/** A site may also redirect back to the form that it rejects. */
function formPath({ path }: CapturedRequest): string {
  return path.map(({ value }) => `/${knownText(value) ?? anySegment}`).join("");
}

/** Reads `status is 200` in a report. */
export const statusIs = `const statusIs = (...expected: readonly number[]) => ({
  [\`status is \${expected.join(" or ")}\`]: ({ status }: Response) => expected.includes(status),
});`;

/** Tells a page from the login form that it redirects to: both answer 200. */
export const endsAt = `/** Checks the path of the final URL, after redirects. */
const endsAt = (path: string) => ({
  [\`ends at \${path}\`]: ({ url }: Response) => url.replace(/^\\w+:\\/\\/[^/]+|[?#].*$/g, "") === path,
});`;

/** Tells a request that was accepted from a form that is shown again: both answer 200. */
export const redirectsTo = `/** Checks that redirects led to the path. ":id" is any segment. */
const redirectsTo = (path: string, form = "") => ({
  [\`redirects to \${path}\`]: ({ redirected, url, headers }: Response) => {
    const address = headers.get("location") ?? (redirected ? url : "");
    const found = address.replace(/^\\w+:\\/\\/[^/]+|;[^/?#]*|[?#].*$/g, "").replace(/^\\/[a-z]{2}(-[a-z]{2})?(?=\\/)/i, "");
    const [segments, expected] = [found.split("/"), path.split("/")];
    const isSame = expected.every((segment, index) => segment === ":id" || segment === segments[index]);
    return isSame && segments.length === expected.length && found !== form;
  },
});`;

/** Writes the extractions from a response, a line each. */
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
