import { subscribe } from "node:diagnostics_channel";
import type { ClientHttp2Stream, Http2Session } from "node:http2";
import { Readable } from "node:stream";

import { errorCode } from "../http2/error-codes.ts";
import { frameType } from "../http2/frames.ts";
import type { Goaway } from "../http2/stream-failure.ts";

let onCreated: ((stream: UndiciResponseStream) => void) | null = null;
let isWatching = false;

/** Passes the next stream that undici opens to `take`, as soon as its request starts. Null cancels this. */
export function awaitStream(take: ((stream: UndiciResponseStream) => void) | null): void {
  if (!isWatching) subscribe("http2.client.stream.created", created);
  isWatching = true;
  onCreated = take;
}

function created(message: unknown): void {
  if (!(message instanceof Object && "stream" in message && isClientStream(message.stream))) return;
  onCreated?.(new UndiciResponseStream(message.stream));
  onCreated = null;
}

function isClientStream(stream: unknown): stream is ClientHttp2Stream {
  return stream instanceof Readable && "rstCode" in stream && "session" in stream;
}

/**
 * A node:http2 stream that undici reads. It provides the facts that undici does not report: how the server
 * ended the stream, and if it may have processed the request.
 */
export class UndiciResponseStream {
  readonly #stream: ClientHttp2Stream;
  /** True once END_STREAM has arrived. */
  #hasEnded = false;
  #hasResponded = false;
  /** True if a GOAWAY arrived before its HEADERS were written. */
  #isUnwritten = false;

  constructor(stream: ClientHttp2Stream) {
    this.#stream = stream;
    const push = stream.push.bind(stream);
    // A reset also ends the stream, but closes it first. At the event `end`, it may be closed in either case.
    stream.push = (chunk: unknown, encoding?: BufferEncoding): boolean => {
      if (!stream.closed) {
        this.#hasResponded = true;
        if (chunk === null) this.#hasEnded = true;
      }
      return push(chunk, encoding);
    };
  }

  get session(): Http2Session | undefined {
    return this.#stream.session;
  }

  /** The error code that closed it before END_STREAM; otherwise null. */
  get resetCode(): number | null {
    const stream = this.#stream;
    return this.#hasEnded || !stream.closed ? null : stream.rstCode;
  }

  /** True if the server reset it with REFUSED_STREAM: it did not process the request. */
  get isRefused(): boolean {
    return this.resetCode === errorCode.refusedStream;
  }

  /** True once any response has begun, even an interim one: the server then processes the request. */
  get hasResponded(): boolean {
    return this.#hasResponded;
  }

  /** Returns true if a GOAWAY names an earlier stream as the last, or kept this one from being written. */
  isLeftOutBy(goaway: Goaway | null): boolean {
    if (goaway === null) return false;
    return this.#isUnwritten || (this.#stream.id ?? Number.POSITIVE_INFINITY) > goaway.lastStreamId;
  }

  /**
   * Called when a GOAWAY arrives. Response heads before it in the same read are only emitted afterwards, and
   * not to undici if it has dropped the stream. `onLeftOut` is called if the server may have refused the
   * stream, or if nghttp2 does not write its HEADERS any more. undici keeps such a request until all others
   * have ended.
   */
  watchAfterGoaway(onLeftOut: () => void): void {
    const responded = (): void => {
      this.#hasResponded = true;
    };
    this.#stream
      .once("response", responded)
      .once("headers", responded)
      .once("close", onLeftOut)
      .prependListener("frameError", (type) => {
        if (type !== frameType.headers) return;
        this.#isUnwritten = true;
        onLeftOut();
      });
  }
}
