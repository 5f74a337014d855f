import { connectionErrors } from "./connection-errors.ts";
import { dnsErrors } from "./dns-errors.ts";
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

/** Every code that a failed exchange may have: what happened, why, and what to do. docs/errors.md is made of it. */
export const httpErrorCatalog: Readonly<Record<KnownHttpErrorCode, ErrorExplanation>> = {
  ...dnsErrors,
  ...connectionErrors,
  ...proxyErrors,
  ...tlsErrors,
  ...responseErrors,
  ...http2Errors,
  ...requestErrors,
};
