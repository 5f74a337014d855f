import { modifyingMethods, plainPath } from "@bearhug/sdk/internal";
import type { Extractor } from "@bearhug/sdk";
import type { CapturedRequest, Extraction, Proof, SessionProof } from "../capture-model.ts";
import { anySegment, fitsPattern } from "../path-pattern.ts";
import { knownText } from "../value.ts";
import { objectOf, quoteText } from "./quote-text.ts";
import type { Vocabulary } from "./vocabulary.ts";

/**
 * Returns the statuses that a response may have; null if none was recorded. A response from the browser's
 * cache (304) is a full one for a visitor without a cache. If a request of the same wave has a 304
 * (`beside`), a recorded 200 may be either as well.
 */
export function expectedStatuses(
  { recordedStatus }: CapturedRequest,
  beside: ReadonlySet<number | null>,
): readonly number[] | null {
  if (recordedStatus === null || recordedStatus < 100) return null;
  const isCached = recordedStatus === 304 || (recordedStatus === 200 && beside.has(304));
  return isCached ? [200, 304] : [recordedStatus];
}

/**
 * Writes the check of a response: of its status, of where redirects led, and of its proofs; nothing if there
 * is nothing to check. `before` is the variable with the cookie that a login replaces.
 */
export function writeCheck(
  response: string,
  expected: readonly number[] | null,
  vocabulary: Vocabulary,
  request: Pick<CapturedRequest, "method" | "path" | "landsOn" | "proofs">,
  before: string | null = null,
): string[] {
  if (expected === null) return [];
  const status = `statusIs(${expected.join(", ")})`;
  const landing = writeLanding(request);
  const proofs = request.proofs.map((proof) => writeProof(proof, before, vocabulary));
  const others = [...(landing === null ? [] : [`...${landing}`]), ...proofs];
  return [`check(${response}, ${others.length === 0 ? status : `{ ...${status}, ${others.join(", ")} }`});`];
}

function writeProof(proof: Proof, before: string | null, vocabulary: Vocabulary): string {
  if (proof.kind === "no errors") return "...noJsonErrors()";
  if (proof.kind === "session") {
    const { cookie } = proof;
    const after = readCookie(proof, vocabulary);
    const name = quoteText(`has ${before === null ? "the" : "a new"} cookie ${cookie}`);
    return `${name}: () => ${after} !== ${before ?? "null"}`;
  }
  return `...jsonFieldIs(${quoteText(proof.name)}, ${JSON.stringify(proof.value)})`;
}

/** Writes code that reads the cookie of a session, before or after the login that begins it. */
export function readCookie({ cookie, url }: SessionProof, vocabulary: Vocabulary): string {
  const { origin, pathname } = new URL(url);
  const isOwn = origin === vocabulary.origin && !pathname.startsWith("//");
  const address = isOwn ? pathname : url;
  return `http.cookies.get(${[cookie, ...(address === "/" ? [] : [address])].map(quoteText).join(", ")})`;
}

function writeLanding(request: Pick<CapturedRequest, "method" | "path" | "landsOn">): string | null {
  const { landsOn, method } = request;
  if (landsOn === null) return null;
  if (!modifyingMethods.has(method)) return `endsAt(${quoteText(landsOn)})`;
  const form = formPath(request);
  const isFormPath = plainPath(form) !== landsOn && fitsPattern(landsOn, plainPath(form));
  return `redirectsTo(${[landsOn, ...(isFormPath ? [form] : [])].map(quoteText).join(", ")})`;
}

/** Returns the path of a form as a pattern: a site may also redirect back to a form that it rejects. */
function formPath({ path }: Pick<CapturedRequest, "path">): string {
  return path.map(({ value }) => `/${knownText(value) ?? anySegment}`).join("");
}

/** Writes the extractions from a response, a line each. */
export function writeExtractions(
  response: string,
  extractions: readonly Extraction[],
  vocabulary: Vocabulary,
): string[] {
  return extractions.map(({ name, from }) => {
    const identifier = vocabulary.extracted.get(name) ?? "";
    return `const ${identifier} = extract(${response}, ${writeExtractor(from)});`;
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
