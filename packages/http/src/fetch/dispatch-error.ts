import type { HttpErrorCode } from "@bearhug/sdk";
import { errors } from "undici";

import type { MaskedFailure } from "../failures/failure-info.ts";
import { RequestFault } from "../request/request-fault.ts";

/** Converts an error that keeps a request from being sent: invalid arguments get undici's class and code. */
export function unsentError(error: Error): Error {
  if (!(error instanceof RequestFault) || error.code === "HOST_NOT_ALLOWED") return error;
  const { message, code } = error;
  return Object.assign(new errors.InvalidArgumentError(message), { bearhugCode: code, cause: error });
}

/**
 * llhttp, undici's parser, has a code for each fault. This one stands for faults that it tolerates only in
 * lenient mode.
 */
class MalformedResponse extends errors.HTTPParserError {
  override readonly code = "HPE_STRICT";
}

/** The error of a failed request, as clients of undici receive it. */
export type DispatchError = Error & {
  /** The code in bearhug's results. `code` is the system's, or undici's if there is none. */
  readonly bearhugCode: HttpErrorCode;
};

/** Creates an error with the class and `code` of undici's own client, because clients rely on them. */
export function dispatchError(failure: MaskedFailure, hasHead: boolean): DispatchError {
  const { code, message, cause } = failure;
  const isSystems =
    cause !== undefined && /^(?:E[A-Z]|CERT_|ERR_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/.test(cause);
  const error = isSystems
    ? Object.assign(new Error(message), { code: cause })
    : undiciError(failure, hasHead);
  return Object.assign(error, { bearhugCode: code });
}

function undiciError({ code, message, phase }: MaskedFailure, hasHead: boolean): Error {
  if (code === "RESPONSE_TIMEOUT" && phase === "receiving" && hasHead)
    return new errors.BodyTimeoutError(message);
  const UndiciError = classes.get(code) ?? errors.SocketError;
  return new UndiciError(message);
}

/** undici's class for each code other than those of lost or broken connections. */
const classes: ReadonlyMap<HttpErrorCode, new (message: string) => Error> = new Map<
  HttpErrorCode,
  new (message: string) => Error
>([
  ["POOL_TIMEOUT", errors.ConnectTimeoutError],
  ["DNS_TIMEOUT", errors.ConnectTimeoutError],
  ["CONNECT_TIMEOUT", errors.ConnectTimeoutError],
  ["TLS_TIMEOUT", errors.ConnectTimeoutError],
  ["PROXY_TIMEOUT", errors.ConnectTimeoutError],
  ["RESPONSE_TIMEOUT", errors.HeadersTimeoutError],
  ["HEADERS_TOO_LARGE", errors.HeadersOverflowError],
  ["BODY_TOO_LARGE", errors.ResponseExceededMaxSizeError],
  ["MALFORMED_RESPONSE", MalformedResponse],
  ["REQUEST_ABORTED", errors.RequestAbortedError],
  ["INVALID_REQUEST", errors.InvalidArgumentError],
]);
