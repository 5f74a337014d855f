import { BearhugError } from "../bearhug-error.ts";
import { requestName } from "../http/request-name.ts";
import type { Response } from "../http/response.ts";
import { quote } from "../text/printable.ts";
import { describeInstead, describeSought } from "./describe-absence.ts";
import { findValue } from "./extract-from.ts";
import { type Answer, type Extractor, validateExtractor } from "./extractor.ts";
import { tellExtracted } from "./watch-extractions.ts";

/** The part of a response that `extract` reads. */
export type ExtractableResponse = Pick<
  Response,
  "url" | "redirected" | "status" | "error" | "headers" | "text" | "json"
>;

/**
 * Takes a value from a response, to be sent with a later request: a token, an id, a hidden field.
 *
 * ```ts
 * const csrf = extract(await http.get("/login"), { field: "csrf" });
 * await http.post("/login", { form: { user: "ann", csrf } });
 * ```
 * @throws {ExtractError} where the value isn't there; says what is there instead.
 * @throws {InvalidExtractorError} for an extractor that describes no place.
 * @throws {BodyUnavailableError} where the body is needed, and was not kept.
 */
export function extract(response: ExtractableResponse, extractor: Extractor): string {
  const valid = validateExtractor(extractor);
  const answer = answerOf(response);
  const { url, status, error } = response;
  // Without an answer there is no place to look at, and no body to read.
  const found = error !== null && status === 0 ? null : findValue(answer, valid);
  if (found !== null) {
    tellExtracted(response, describeSought(valid), found);
    return found;
  }
  const instead =
    error !== null && status === 0
      ? `there was no response: ${error.message}`
      : describeInstead(answer, valid, response.headers.entries());
  throw new ExtractError(
    `No ${describeSought(valid)} in the response of ${showAddress(url)} (status ${status}): ${instead}`,
    { extractor, url, status },
  );
}

/** A response as extractors read it. */
export function answerOf(response: ExtractableResponse): Answer {
  return {
    url: response.url,
    redirected: response.redirected,
    header: (name) => response.headers.get(name),
    text: () => response.text(),
    json: () => response.json(),
  };
}

/** Without user and query, in which secrets stand, and with ids left out. */
function showAddress(url: string): string {
  const [, scheme = "", host = ""] = /^([a-z][a-z\d+.-]*:\/\/)(?:[^/?#\\]*@)?([^/?#\\]*)/i.exec(url) ?? [];
  return quote(`${scheme}${host}${requestName("", url).trimStart()}`).slice(1, -1);
}

/** Thrown by `extract` where a response doesn't have the value. Says what it has instead, by names alone. */
export class ExtractError extends BearhugError {
  override readonly name = "ExtractError";
  readonly code = "NO_SUCH_VALUE";
  /** The extractor that found no value. */
  readonly extractor: Extractor;
  /** The address that answered. */
  readonly url: string;
  /** The status that it answered with; 0 where no response arrived. */
  readonly status: number;
  constructor(
    problem: string,
    facts: { readonly extractor: Extractor; readonly url: string; readonly status: number },
    options?: { readonly cause?: unknown },
  ) {
    super(problem, options);
    this.extractor = facts.extractor;
    this.url = facts.url;
    this.status = facts.status;
  }
}
