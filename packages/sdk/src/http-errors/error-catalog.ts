import { connectionErrors, dnsErrors } from "./connection-errors.ts";
import type { ErrorExplanation } from "./error-explanation.ts";
import { http2Errors } from "./http2-errors.ts";
import { proxyErrors } from "./proxy-errors.ts";
import { requestErrors } from "./request-errors.ts";
import { responseErrors } from "./response-errors.ts";
import { tlsErrors } from "./tls-errors.ts";

/** The codes of this release. */
export type KnownHttpErrorCode =
  | keyof typeof dnsErrors
  | keyof typeof connectionErrors
  | keyof typeof proxyErrors
  | keyof typeof tlsErrors
  | keyof typeof responseErrors
  | keyof typeof http2Errors
  | keyof typeof requestErrors;

/** Codes of what was odd about requests that count as successful. */
export const codesOfSuccess: ReadonlySet<string> = new Set<KnownHttpErrorCode>([
  "SURPLUS_BYTES",
  "UPLOAD_ABORTED",
  "BODY_SHRUNK",
  "ERROR_PAGE",
  "FORM_SHOWN_AGAIN",
  "JSON_ERRORS",
  "ERROR_HEADER",
  "LOCATION_MISSING",
  "BODY_DROPPED",
  "COOKIE_REJECTED",
]);

/** Explains every code of a failed request: what happened, why, and how to fix it. docs/errors.md is generated from it. */
export const httpErrorCatalog: Readonly<Record<KnownHttpErrorCode, ErrorExplanation>> = {
  ...dnsErrors,
  ...connectionErrors,
  ...proxyErrors,
  ...tlsErrors,
  ...responseErrors,
  ...http2Errors,
  ...requestErrors,
};
