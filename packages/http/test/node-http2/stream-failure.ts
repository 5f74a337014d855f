import { constants } from "node:http2";

import { TransportFailure } from "../../src/failures/transport-failure.ts";
import {
  type BodyProgress,
  closed,
  type Goaway,
  goneAway,
  headersTooLarge,
  leftUnanswered,
  invalidResponse,
  notHttp2,
  peerReset,
  wrongLength,
} from "../../src/http2/stream-failure.ts";

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
  /** The announced length of the body, if any, and the bytes that came; null before the response begins. */
  readonly body: BodyProgress | null;
}

/** Returns the error that describes why a stream ended. */
export function streamFailure(end: StreamEnd): Error {
  const { id, error, goaway } = end;
  const code = error === null ? undefined : codeOf(error);
  // The stream never got a number, or the GOAWAY says that the server did not process it.
  const isUnprocessed = id === undefined || (goaway !== null && id > goaway.lastStreamId);
  if (goaway !== null && (isUnprocessed || code === "ERR_HTTP2_SESSION_ERROR")) {
    return goneAway(goaway, isUnprocessed);
  }
  if (goaway !== null && end.isConnectionClosed && end.body === null) return leftUnanswered(goaway);
  if (code === "ERR_HTTP2_STREAM_ERROR" || (error === null && !end.isConnectionClosed)) {
    return end.isOwnReset ? ownReset(end) : peerReset(end.resetCode, end.body);
  }
  if (error === null || isUnprocessed) {
    return closed(isUnprocessed);
  }
  if (code?.startsWith("ERR_HTTP2") === true) {
    const reason = end.hasServerBegun ? `${error.message} (nghttp2)` : notHttp2;
    return new TransportFailure({ kind: "protocolError", reason });
  }
  return error;
}

/** True if a reset with this code may be ours: nghttp2's for invalid frames, Node's for too many headers. */
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

function ownReset({ resetCode, body }: StreamEnd): TransportFailure {
  if (resetCode === constants.NGHTTP2_ENHANCE_YOUR_CALM) return headersTooLarge();
  return typeof body?.announced !== "number" || body.announced === body.received
    ? invalidResponse("a pseudo-header or field that is missing, forbidden or out of place", resetCode)
    : wrongLength(body);
}
