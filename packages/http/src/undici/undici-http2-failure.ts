import { errorCode as caughtCode } from "@bearhug/text/caught-error";
import { errors } from "undici";

import { TransportFailure } from "../failures/transport-failure.ts";
import { errorCode, errorName } from "../http2/error-codes.ts";
import { goneAway, leftUnanswered, notHttp2, peerReset, type Goaway } from "../http2/stream-failure.ts";
import type { UndiciResponseStream } from "./response-stream.ts";
import type { UndiciResponseHead } from "./undici-head.ts";
import { closed, failureOf } from "./undici-failure.ts";

/** The connection that a stream failed on. */
export interface StreamConnection {
  /** Null if none arrived. */
  readonly goaway: Goaway | null;
  readonly isClosed: boolean;
  readonly hasServerBegun: boolean;
  /** True once the response has begun. */
  readonly hasResponded: boolean;
}

/** Converts an undici error of a request on HTTP/2 to our failure. */
export function streamFailureOf(error: Error, connection: StreamConnection): Error {
  const { goaway, isClosed, hasServerBegun, hasResponded } = connection;
  if (error instanceof TransportFailure && error.info.kind !== "closed") return error;
  const code = caughtCode(error) ?? "";
  if (goaway !== null && code === "ERR_HTTP2_SESSION_ERROR") return goneAway(goaway, false);
  // Not a stale connection: the server has the request, so a retry could make it process the request twice.
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

/** The received part of a response. */
interface ReceivedResponse {
  readonly stream: UndiciResponseStream | null;
  readonly head: UndiciResponseHead | null;
  readonly bodyBytes: number;
}

/** Returns the failure for a reset that undici reports as a body's end; null if it may be complete. */
export function resetWithoutError({ stream, head, bodyBytes }: ReceivedResponse): TransportFailure | null {
  const code = stream?.resetCode ?? null;
  if (head === null || (code !== errorCode.noError && code !== errorCode.cancel)) return null;
  const announced = head.contentLength;
  // Servers of node:http2 end a complete response in this way.
  if (code === errorCode.noError && announced === bodyBytes) return null;
  return peerReset(code, { announced, received: bodyBytes });
}

/** Returns true for a node:http2 error that ends the connection, which undici would continue to use. */
export function isOfConnection(error: Error): boolean {
  const code = caughtCode(error);
  return code !== "ERR_HTTP2_STREAM_ERROR" && code?.startsWith("ERR_HTTP2") === true;
}

/** Returns true for the error that undici creates for a GOAWAY. */
export function isOfGoaway({ message }: Error): boolean {
  return message.includes('"GOAWAY" frame received');
}

function streamReset(cause: string | null): TransportFailure {
  const reason = cause === null ? "RST_STREAM (undici does not tell its error code)" : `RST_STREAM ${cause}`;
  return new TransportFailure({ kind: "streamReset", reason, ...(cause === null ? {} : { cause }) });
}

/** Returns the error code of a reset stream, which undici stores on its error. */
function resetCode(error: Error): number | null {
  return "http2ErrorCode" in error && typeof error.http2ErrorCode === "number" ? error.http2ErrorCode : null;
}
