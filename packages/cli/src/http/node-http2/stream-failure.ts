import { constants } from "node:http2";

import { TransportFailure } from "../failures/transport-failure.ts";
import { errorName } from "./error-names.ts";
import { headersTooLarge } from "./response-fields.ts";

/** The server sent the connection away. */
export interface Goaway {
  readonly code: number;
  readonly lastStreamId: number;
}

/** The end of a stream that had no complete response. */
export interface StreamEnd {
  readonly id: number | undefined;
  /** The code of the reset; CANCEL also if the connection closed under it. */
  readonly resetCode: number;
  /** The error that node:http2 reported, if any. */
  readonly error: Error | null;
  readonly goaway: Goaway | null;
  readonly isConnectionClosed: boolean;
  /** True if the server's first SETTINGS frame came. */
  readonly hasServerBegun: boolean;
  /** True if we reset the stream because of something that the server sent. */
  readonly isOwnReset: boolean;
  /** Bytes of the body that were announced, if any were, and that came; null where the response has not begun. */
  readonly body: { readonly announced: number | null; readonly received: number } | null;
}

/** Why a server that does not begin with HTTP/2 is not understood. */
export const notHttp2 =
  'the first bytes from the server are not HTTP/2 (for a server that speaks HTTP/1.1, set protocol: "http1")';

/** Why a stream ended. */
export function streamFailure(end: StreamEnd): Error {
  const { id, error, goaway } = end;
  const code = error === null ? undefined : codeOf(error);
  // It never got a number, or one that the server says it did not look at.
  const isUnprocessed = id === undefined || (goaway !== null && id > goaway.lastStreamId);
  if (goaway !== null && (isUnprocessed || code === "ERR_HTTP2_SESSION_ERROR")) {
    return goneAway(goaway, isUnprocessed);
  }
  if (code === "ERR_HTTP2_STREAM_ERROR" || (error === null && !end.isConnectionClosed)) {
    return end.isOwnReset ? ownReset(end) : peerReset(end);
  }
  if (error === null || isUnprocessed) {
    return new TransportFailure({ kind: "closed", reason: "the connection was closed", isUnprocessed });
  }
  if (code?.startsWith("ERR_HTTP2") === true) {
    const reason = end.hasServerBegun ? `${error.message} (nghttp2)` : notHttp2;
    return new TransportFailure({ kind: "protocolError", reason });
  }
  return error;
}

/** Returns true if a reset with this code may be ours: nghttp2's for invalid frames, Node's for too many headers. */
export function mayBeOwn(resetCode: number): boolean {
  return (
    resetCode === constants.NGHTTP2_PROTOCOL_ERROR ||
    resetCode === constants.NGHTTP2_FLOW_CONTROL_ERROR ||
    resetCode === constants.NGHTTP2_ENHANCE_YOUR_CALM
  );
}

function codeOf(error: Error): string | undefined {
  return "code" in error && typeof error.code === "string" ? error.code : undefined;
}

function goneAway({ code, lastStreamId }: Goaway, isUnprocessed: boolean): TransportFailure {
  const cause = errorName(code);
  const reason = `GOAWAY ${cause}, last stream ${lastStreamId}`;
  return new TransportFailure({ kind: "goaway", reason, cause, isUnprocessed });
}

function peerReset({ resetCode, body }: StreamEnd): TransportFailure {
  const cause = errorName(resetCode);
  const isUnprocessed = resetCode === constants.NGHTTP2_REFUSED_STREAM;
  // The server finds nothing wrong: whoever looks for a fault there needs to know what is missing.
  const unsaid =
    resetCode === constants.NGHTTP2_NO_ERROR && body !== null
      ? ` without END_STREAM, after ${body.received} bytes of ${body.announced ?? "a body of unknown length"}`
      : "";
  return new TransportFailure({
    kind: "streamReset",
    reason: `RST_STREAM ${cause}${unsaid}`,
    cause,
    isUnprocessed,
  });
}

function ownReset({ resetCode, body }: StreamEnd): TransportFailure {
  if (resetCode === constants.NGHTTP2_ENHANCE_YOUR_CALM) return headersTooLarge();
  const cause = errorName(resetCode);
  const reason =
    typeof body?.announced !== "number" || body.announced === body.received
      ? "the response is not valid HTTP/2: a pseudo-header or field that is missing, forbidden or out of place"
      : `content-length is ${body.announced} bytes, but ${body.received} arrived`;
  return new TransportFailure({ kind: "protocolError", reason, cause });
}
