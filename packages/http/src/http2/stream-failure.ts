import { foreignSentence, type ForeignText } from "@bearhug/text/foreign-text";

import { TransportFailure } from "../failures/transport-failure.ts";
import { errorCode, errorName, type Http2Violation } from "./error-codes.ts";
import { responseLimits } from "./response-fields.ts";

/** A GOAWAY frame: the server shuts the connection down. */
export interface Goaway {
  readonly code: number;
  readonly lastStreamId: number;
}

/** The announced length of a body, if there is one, and the received length. */
export interface BodyProgress {
  readonly announced: number | null;
  readonly received: number;
}

/** The reason for a server whose first bytes are not HTTP/2. */
export const notHttp2 =
  'the first bytes from the server are not HTTP/2 (for a server that speaks HTTP/1.1, set protocol: "http1")';

/** More interim responses than this are an attack, or a mistake. */
export const maxInterim = 20;

export function closed(isUnprocessed: boolean): TransportFailure {
  return new TransportFailure({ kind: "closed", reason: "the connection was closed", isUnprocessed });
}

export function goneAway({ code, lastStreamId }: Goaway, isUnprocessed: boolean): TransportFailure {
  const cause = errorName(code);
  const reason = `GOAWAY ${cause}, last stream ${lastStreamId}`;
  return new TransportFailure({ kind: "goaway", reason, cause, isUnprocessed });
}

/** The server accepted the request before its GOAWAY, but closed the connection without a response. */
export function leftUnanswered({ code, lastStreamId }: Goaway): TransportFailure {
  const cause = errorName(code);
  const reason = `GOAWAY ${cause}, last stream ${lastStreamId}, and closed it before it responded`;
  return new TransportFailure({ kind: "goaway", reason, cause, isUnprocessed: false });
}

/** `body`: null before the final response. Once the server has responded at all, it has processed. */
export function peerReset(
  resetCode: number,
  body: BodyProgress | null,
  hasResponded: boolean = body !== null,
): TransportFailure {
  const cause = errorName(resetCode);
  const isUnprocessed = resetCode === errorCode.refusedStream && !hasResponded;
  // NO_ERROR does not explain the failure, so the reason states what is missing.
  const missing =
    resetCode === errorCode.noError && body !== null
      ? ` without END_STREAM, after ${body.received} bytes of ${body.announced ?? "a body of unknown length"}`
      : "";
  return new TransportFailure({
    kind: "streamReset",
    reason: `RST_STREAM ${cause}${missing}`,
    cause,
    isUnprocessed,
  });
}

/** The response violates the protocol within its own stream, which we reset. */
export function invalidResponse(
  reason: string | ForeignText,
  code: number = errorCode.protocolError,
): TransportFailure {
  const cause = errorName(code);
  return new TransportFailure({
    kind: "protocolError",
    reason: foreignSentence`the response is not valid HTTP/2: ${reason}`,
    cause,
  });
}

export function wrongLength({ announced, received }: BodyProgress): TransportFailure {
  const reason = `content-length is ${announced ?? 0} bytes, but ${received} arrived`;
  return new TransportFailure({
    kind: "protocolError",
    reason,
    cause: errorName(errorCode.protocolError),
  });
}

/** The connection ended because the server violated the protocol. */
export function violated({ code, message }: Http2Violation, hasServerBegun: boolean): TransportFailure {
  if (!hasServerBegun) return new TransportFailure({ kind: "protocolError", reason: notHttp2 });
  const cause = errorName(code);
  return new TransportFailure({ kind: "protocolError", reason: `${message} (${cause})`, cause });
}

/** The response has too many header fields, or too large ones. */
export function headersTooLarge(): TransportFailure {
  const { bytes, fields } = responseLimits;
  const reason = `the response has more than ${bytes} bytes or ${fields} fields of headers`;
  return new TransportFailure({ kind: "headersTooLarge", reason });
}

export function tooManyInterim(): TransportFailure {
  const reason = `more than ${maxInterim} interim responses`;
  return new TransportFailure({ kind: "tooManyInterim", reason });
}
