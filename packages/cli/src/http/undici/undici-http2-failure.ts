import { errors } from "undici";

import { TransportFailure } from "../failures/transport-failure.ts";
import { errorCode, errorName } from "../http2/error-codes.ts";
import { notHttp2, peerReset } from "../http2/stream-failure.ts";
import type { ResponseStream } from "./response-stream.ts";
import type { UndiciResponseHead } from "./undici-head.ts";
import { closed, failureOf } from "./undici-failure.ts";

/** The connection that a stream failed on. */
export interface StreamConnection {
  /** The error code of a GOAWAY; null where none came. */
  readonly goaway: number | null;
  readonly isClosed: boolean;
  readonly hasServerBegun: boolean;
}

/** An error that undici gave a request on HTTP/2, as a failure of ours. */
export function streamFailureOf(error: Error, connection: StreamConnection): Error {
  const { goaway, isClosed, hasServerBegun } = connection;
  if (error instanceof TransportFailure) return error;
  const code = codeOf(error);
  if (goawayCode(error) !== null) return goneAway(goawayCode(error) ?? 0, true);
  if (goaway !== null && (code === "ERR_HTTP2_SESSION_ERROR" || isClosed)) return goneAway(goaway, false);
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
  readonly stream: ResponseStream | null;
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

/** The error code of the GOAWAY that an error of undici's is about; else null. */
export function goawayCode({ message }: Error): number | null {
  const [, code] = /"GOAWAY" frame received with code (\d+)/.exec(message) ?? [];
  return code === undefined ? null : Number(code);
}

/** The server sent the connection away. undici does not tell the last stream that it processed. */
export function goneAway(code: number, isUnprocessed: boolean): TransportFailure {
  const cause = errorName(code);
  return new TransportFailure({ kind: "goaway", reason: `GOAWAY ${cause}`, cause, isUnprocessed });
}

/** The server refused the stream. undici would repeat the request. */
export function refusedStream(): TransportFailure {
  return streamReset("REFUSED_STREAM");
}

function streamReset(cause: string | null): TransportFailure {
  const reason = cause === null ? "RST_STREAM (undici does not tell its error code)" : `RST_STREAM ${cause}`;
  const isUnprocessed = cause === "REFUSED_STREAM";
  return new TransportFailure({
    kind: "streamReset",
    reason,
    isUnprocessed,
    ...(cause === null ? {} : { cause }),
  });
}

/** undici notes what a stream was reset with on its error. */
function resetCode(error: Error): number | null {
  return "http2ErrorCode" in error && typeof error.http2ErrorCode === "number" ? error.http2ErrorCode : null;
}
