import type { HttpErrorCode } from "@bearhug/sdk";
import { errors } from "undici";

import type { MaskedFailure } from "../failures/failure-info.ts";
import { RequestFault } from "../request/request-fault.ts";

/** An error that keeps a request from being sent, as undici's doors report it: what is wrong with its arguments has undici's code. */
export function unsentError(error: Error): Error {
  if (!(error instanceof RequestFault) || error.code === "HOST_NOT_ALLOWED") return error;
  const { message, code } = error;
  return Object.assign(new errors.InvalidArgumentError(message), { bearhugCode: code, cause: error });
}

/** llhttp, undici's parser, has a code for each fault; ours is the one for what it tolerates only when told to. */
class MalformedResponse extends errors.HTTPParserError {
  override readonly code = "HPE_STRICT";
}

/** A failed request as clients of undici's are told of it. */
export type DispatchError = Error & {
  /** The code in bearhug's results. Its `code` is the system's, or undici's for what has none. */
  readonly bearhugCode: HttpErrorCode;
};

/** Describes a failure with the class and the `code` that undici's own client would give it: clients decide by these. */
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

/** undici's class for each code that is no lost or broken connection. */
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
