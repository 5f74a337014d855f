import { changingMethods, plainPath } from "@bearhug/sdk/internal";
import type { Extractor } from "@bearhug/sdk";
import type { CapturedRequest, Extraction, Proof, SessionProof } from "../capture-model.ts";
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

/**
 * The check of an answer's status, of where redirects led, and of what else it showed; nothing where there is nothing to
 * check. `before`: the name of what holds the cookie that a login replaces.
 */
export function writeCheck(
  answer: string,
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
  return [`check(${answer}, ${others.length === 0 ? status : `{ ...${status}, ${others.join(", ")} }`});`];
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

/** Code that reads the cookie of a session, before or after the login that begins it. */
export function readCookie({ cookie, url }: SessionProof, vocabulary: Vocabulary): string {
  const { origin, pathname } = new URL(url);
  const isOwn = origin === vocabulary.origin && !pathname.startsWith("//");
  const address = isOwn ? pathname : url;
  return `http.cookies.get(${[cookie, ...(address === "/" ? [] : [address])].map(quoteText).join(", ")})`;
}

function writeLanding(request: Pick<CapturedRequest, "method" | "path" | "landsOn">): string | null {
  const { landsOn, method } = request;
  if (landsOn === null) return null;
  if (!changingMethods.has(method)) return `endsAt(${quoteText(landsOn)})`;
  const form = formPath(request);
  const isTaken = plainPath(form) !== landsOn && fitsPattern(landsOn, plainPath(form));
  return `redirectsTo(${[landsOn, ...(isTaken ? [form] : [])].map(quoteText).join(", ")})`;
}

/** A site may also redirect back to the form that it rejects. */
function formPath({ path }: Pick<CapturedRequest, "path">): string {
  return path.map(({ value }) => `/${knownText(value) ?? anySegment}`).join("");
}

/** Writes the extractions from a response, a line each. */
export function writeExtractions(
  answer: string,
  extractions: readonly Extraction[],
  vocabulary: Vocabulary,
): string[] {
  return extractions.map(({ name, from }) => {
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
