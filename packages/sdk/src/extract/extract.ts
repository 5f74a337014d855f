import { describeValue } from "@bearhug/text/describe-value";
import { quote } from "@bearhug/text/printable";
import { requestName } from "@bearhug/text/request-name";
import { BearhugError } from "../bearhug-error.ts";
import type { Response } from "../http/response.ts";
import { describeAlternatives, describeSought } from "./describe-missing-value.ts";
import { findValue } from "./extract-from.ts";
import {
  type ExtractionSource,
  type Extractor,
  InvalidExtractorError,
  validateExtractor,
} from "./extractor.ts";
import { reportExtracted } from "./watch-extractions.ts";

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
 * @throws {ExtractError} if the response does not have the value; the message lists what it has instead.
 * @throws {InvalidExtractorError} if the extractor is invalid, or the response is none.
 * @throws {BodyUnavailableError} if the extractor needs the body, and it was not kept.
 */
export function extract(response: ExtractableResponse, extractor: Extractor): string {
  const valid = validateExtractor(extractor);
  requireResponse(response);
  const answer = answerOf(response);
  const { url, status, error } = response;
  // Without a response there is nothing to search, and reading the body would throw.
  const found = error !== null && status === 0 ? null : findValue(answer, valid);
  if (found !== null) {
    reportExtracted(response, describeSought(valid), found);
    return found;
  }
  const instead =
    error !== null && status === 0
      ? `there was no response: ${error.message}`
      : describeAlternatives(answer, valid, response.headers.entries());
  throw new ExtractError(
    `No ${describeSought(valid)} in the response of ${showAddress(url)} (status ${status}): ${instead}`,
    { extractor, url, status },
  );
}

/** Tests run without a type check, and an `await` is easily forgotten. */
function requireResponse(response: unknown): void {
  const isObject = typeof response === "object" && response !== null;
  if (isObject && "headers" in response && "text" in response) return;
  throw new InvalidExtractorError(
    isObject && "then" in response
      ? "the response is a promise: await the request first."
      : `extract(response, extractor) takes the response of a request, but got ${describeValue(response)}.`,
  );
}

/** Returns the part of a response that extractors read. */
export function answerOf(response: ExtractableResponse): ExtractionSource {
  return {
    url: response.url,
    redirected: response.redirected,
    header: (name) => response.headers.get(name),
    text: () => response.text(),
    json: () => response.json(),
  };
}

/**
 * Returns a URL for messages: without user and query, which may hold secrets, and with ids replaced by `:id`.
 */
function showAddress(url: string): string {
  const [, scheme = "", host = ""] = /^([a-z][a-z\d+.-]*:\/\/)(?:[^/?#\\]*@)?([^/?#\\]*)/i.exec(url) ?? [];
  return quote(`${scheme}${host}${requestName("", url).trimStart()}`).slice(1, -1);
}

/**
 * Thrown by `extract` if the response does not have the value. The message lists what it has instead: names,
 * no values.
 */
export class ExtractError extends BearhugError {
  override readonly name = "ExtractError";
  readonly code = "NO_SUCH_VALUE";
  /** The extractor that found no value. */
  readonly extractor: Extractor;
  /** The URL that responded, after redirects. */
  readonly url: string;
  /** The status of the response; 0 if no response arrived. */
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
