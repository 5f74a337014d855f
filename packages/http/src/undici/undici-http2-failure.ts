import { errors } from "undici";

import { TransportFailure } from "../failures/transport-failure.ts";
import { errorCode, errorName } from "../http2/error-codes.ts";
import { goneAway, leftUnanswered, notHttp2, peerReset, type Goaway } from "../http2/stream-failure.ts";
import type { UndiciResponseStream } from "./response-stream.ts";
import type { UndiciResponseHead } from "./undici-head.ts";
import { closed, failureOf } from "./undici-failure.ts";

/** The connection that a stream failed on. */
export interface StreamConnection {
  /** Null where none came. */
  readonly goaway: Goaway | null;
  readonly isClosed: boolean;
  readonly hasServerBegun: boolean;
  /** True once any of the response has come. */
  readonly hasResponded: boolean;
}

/** An error that undici gave a request on HTTP/2, as a failure of ours. */
export function streamFailureOf(error: Error, connection: StreamConnection): Error {
  const { goaway, isClosed, hasServerBegun, hasResponded } = connection;
  if (error instanceof TransportFailure && error.info.kind !== "closed") return error;
  const code = codeOf(error);
  if (goaway !== null && code === "ERR_HTTP2_SESSION_ERROR") return goneAway(goaway, false);
  // Not a stale connection: the server has the request, and a repeat could be its second time.
  if (goaway !== null && isClosed && !hasResponded) return leftUnanswered(goaway);
  if (/^E[A-Z]+$/.test(code)) return error;
  if (isOfConnection(error)) {
    const reason = hasServerBegun ? `${error.message} (nghttp2)` : notHttp2;
    return new TransportFailure({ kind: "protocolError", reason });
  }
  if (isClosed) return closed();
  const reset = resetCode(error);
  if (reset !== null) return streamReset(errorName(reset));
  if (error instanceof errors.InformationalError) return streamReset(null);
  if (error instanceof errors.ResponseContentLengthMismatchError)
    return new TransportFailure({
      kind: "protocolError",
      reason: "the body is not as long as content-length says",
    });
  return failureOf(error, isClosed);
}

/** As much of a response as has come. */
interface ReceivedResponse {
  readonly stream: UndiciResponseStream | null;
  readonly head: UndiciResponseHead | null;
  readonly bodyBytes: number;
}

/** A reset that undici takes for the end of the body, or for one that is too short; null where the response may be whole. */
export function resetWithoutError({ stream, head, bodyBytes }: ReceivedResponse): TransportFailure | null {
  const code = stream?.resetCode ?? null;
  if (head === null || (code !== errorCode.noError && code !== errorCode.cancel)) return null;
  const announced = head.contentLength;
  // node:http2's servers end a response so where nothing of it is missing.
  if (code === errorCode.noError && announced === bodyBytes) return null;
  return peerReset(code, { announced, received: bodyBytes });
}

/** Returns true for an error of node:http2's that ends the connection: undici would go on to use it. */
export function isOfConnection(error: Error): boolean {
  const code = codeOf(error);
  return code.startsWith("ERR_HTTP2") && code !== "ERR_HTTP2_STREAM_ERROR";
}

function codeOf(error: Error): string {
  return "code" in error && typeof error.code === "string" ? error.code : "";
}

/** Returns true for the error that undici makes of a GOAWAY. */
export function isOfGoaway({ message }: Error): boolean {
  return message.includes('"GOAWAY" frame received');
}

function streamReset(cause: string | null): TransportFailure {
  const reason = cause === null ? "RST_STREAM (undici does not tell its error code)" : `RST_STREAM ${cause}`;
  return new TransportFailure({ kind: "streamReset", reason, ...(cause === null ? {} : { cause }) });
}

/** undici notes what a stream was reset with on its error. */
function resetCode(error: Error): number | null {
  return "http2ErrorCode" in error && typeof error.http2ErrorCode === "number" ? error.http2ErrorCode : null;
}
