import { told, type ForeignText } from "@bearhug/text/foreign-text";

import { TransportFailure } from "../failures/transport-failure.ts";
import { errorCode, errorName, type Http2Violation } from "./error-codes.ts";
import { responseLimits } from "./response-fields.ts";

/** The server sent the connection away. */
export interface Goaway {
  readonly code: number;
  readonly lastStreamId: number;
}

/** Bytes of a body that were announced, if any were, and that came. */
export interface BodyProgress {
  readonly announced: number | null;
  readonly received: number;
}

/** Why a server that does not begin with HTTP/2 is not understood. */
export const notHttp2 =
  'the first bytes from the server are not HTTP/2 (for a server that speaks HTTP/1.1, set protocol: "http1")';

/** A client that reads more of them than this waits for a server that makes sport of it. */
export const mostInterim = 20;

export function closed(isUnprocessed: boolean): TransportFailure {
  return new TransportFailure({ kind: "closed", reason: "the connection was closed", isUnprocessed });
}

export function goneAway({ code, lastStreamId }: Goaway, isUnprocessed: boolean): TransportFailure {
  const cause = errorName(code);
  const reason = `GOAWAY ${cause}, last stream ${lastStreamId}`;
  return new TransportFailure({ kind: "goaway", reason, cause, isUnprocessed });
}

/** The server kept the request when it sent the connection away, and closed the connection all the same. */
export function leftUnanswered({ code, lastStreamId }: Goaway): TransportFailure {
  const cause = errorName(code);
  const reason = `GOAWAY ${cause}, last stream ${lastStreamId}, and closed it before it responded`;
  return new TransportFailure({ kind: "goaway", reason, cause, isUnprocessed: false });
}

/** `body` is null where the final response has not begun. A server that has sent anything, an interim response too, has processed. */
export function peerReset(
  resetCode: number,
  body: BodyProgress | null,
  hasResponded: boolean = body !== null,
): TransportFailure {
  const cause = errorName(resetCode);
  const isUnprocessed = resetCode === errorCode.refusedStream && !hasResponded;
  // The server finds nothing wrong: whoever looks for a fault there needs to know what is missing.
  const unsaid =
    resetCode === errorCode.noError && body !== null
      ? ` without END_STREAM, after ${body.received} bytes of ${body.announced ?? "a body of unknown length"}`
      : "";
  return new TransportFailure({
    kind: "streamReset",
    reason: `RST_STREAM ${cause}${unsaid}`,
    cause,
    isUnprocessed,
  });
}

/** A response that breaks the protocol on its own stream, which we reset. */
export function invalidResponse(
  reason: string | ForeignText,
  code: number = errorCode.protocolError,
): TransportFailure {
  const cause = errorName(code);
  return new TransportFailure({
    kind: "protocolError",
    reason: told`the response is not valid HTTP/2: ${reason}`,
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

/** The end of a connection on which the server broke the protocol. */
export function violated({ code, message }: Http2Violation, hasServerBegun: boolean): TransportFailure {
  if (!hasServerBegun) return new TransportFailure({ kind: "protocolError", reason: notHttp2 });
  const cause = errorName(code);
  return new TransportFailure({ kind: "protocolError", reason: `${message} (${cause})`, cause });
}

/** Why a response with too many is not read. */
export function headersTooLarge(): TransportFailure {
  const { bytes, fields } = responseLimits;
  const reason = `the response has more than ${bytes} bytes or ${fields} fields of headers`;
  return new TransportFailure({ kind: "headersTooLarge", reason });
}

export function tooManyInterim(): TransportFailure {
  const reason = `more than ${mostInterim} interim responses`;
  return new TransportFailure({ kind: "tooManyInterim", reason });
}
