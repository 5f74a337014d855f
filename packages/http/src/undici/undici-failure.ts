import { AssertionError } from "node:assert";
import { maxHeaderSize } from "node:http";

import { foreignLine, quotedBytes, foreignSentence, type ForeignText } from "@bearhug/text/foreign-text";
import { errors } from "undici";

import { TransportFailure, type TransportFailureKind } from "../failures/transport-failure.ts";
import { RequestFault } from "../request/request-fault.ts";

/** Converts an undici error to our failure. `isEnded`: the peer had ended the connection. */
export function failureOf(error: Error, isEnded: boolean): Error {
  if (isMalformed(error)) return isEnded ? closed() : failure("malformed", reasonOf(error));
  if (error instanceof errors.HeadersOverflowError)
    return failure("headersTooLarge", `response headers of ${maxHeaderSize} bytes or more: undici's limit`);
  if (error instanceof errors.SocketError) return refusals.get(error.message) ?? closed();
  // All other undici errors are for requests that it refuses to write.
  if (error instanceof errors.UndiciError)
    return new RequestFault("INVALID_REQUEST", `undici: ${error.message}`);
  return error;
}

/** Creates the failure for a connection that the peer ended. */
export function closed(): TransportFailure {
  return failure("closed", "the connection was closed");
}

/** Creates the failure for a connection that was closed because of another request on it. */
export function pipelineBroken(): TransportFailure {
  return failure("pipelineBroken", "another request on the connection failed or was given up");
}

/** Returns true if the peer ended the connection, and so all requests on it. */
export function isByPeer(error: Error): boolean {
  return error instanceof TransportFailure ? error.info.kind === "closed" : "code" in error;
}

/** undici's messages for responses that it never accepts. */
const refusals = new Map([
  ["bad response", failure("malformed", "status 100, which undici does not accept")],
  ["bad upgrade", failure("upgraded", "it sent an upgrade, which the request did not ask for")],
]);

function isMalformed(error: Error): boolean {
  return (
    error instanceof errors.HTTPParserError ||
    error instanceof errors.ResponseContentLengthMismatchError ||
    // Some responses make its parser fail with an assertion.
    error instanceof AssertionError
  );
}

function reasonOf(error: Error): ForeignText {
  if (error instanceof AssertionError) return foreignSentence`undici could not parse it`;
  const rest = "data" in error && typeof error.data === "string" ? error.data : "";
  if (rest === "") return foreignLine(error.message);
  return foreignSentence`${foreignLine(error.message)}, at ${quotedBytes(Buffer.from(rest).toString("latin1"))}`;
}

function failure(kind: TransportFailureKind, reason: string | ForeignText): TransportFailure {
  return new TransportFailure({ kind, reason });
}
