import type { Extractor } from "./extractor.ts";
import { quote } from "../text/quote.ts";
import { requestName } from "../http/request-name.ts";
import type { Response } from "../http/response.ts";
import type { Answer } from "./answer.ts";
import { describeInstead, describeSought } from "./describe-absence.ts";
import { findValue } from "./extract-from.ts";
import { ExtractError } from "./extract-error.ts";
import { validateExtractor } from "./validate-extractor.ts";

/** The part of a response that `extract` reads. */
export type ExtractableResponse = Pick<Response, "url" | "status" | "error" | "headers" | "text" | "json">;

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
  const answer: Answer = {
    url: response.url,
    header: (name) => response.headers.get(name),
    text: () => response.text(),
    json: () => response.json(),
  };
  const { url, status, error } = response;
  // Without an answer there is no place to look at, and no body to read.
  const found = error !== null && status === 0 ? null : findValue(answer, valid);
  if (found !== null) return found;
  const instead =
    error !== null && status === 0
      ? `there was no response: ${error.message}`
      : describeInstead(answer, valid, response.headers.entries());
  throw new ExtractError(
    `No ${describeSought(valid)} in the response of ${showAddress(url)} (status ${status}): ${instead}`,
    { extractor, url, status },
  );
}

/** Without user and query, in which secrets stand, and with ids left out. */
function showAddress(url: string): string {
  const [, scheme = "", host = ""] = /^([a-z][a-z\d+.-]*:\/\/)(?:[^/?#\\]*@)?([^/?#\\]*)/i.exec(url) ?? [];
  return quote(`${scheme}${host}${requestName("", url).trimStart()}`).slice(1, -1);
}
