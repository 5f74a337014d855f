import { subscribe } from "node:diagnostics_channel";
import type { ClientHttp2Stream, Http2Session } from "node:http2";
import { Readable } from "node:stream";

import { errorCode } from "../http2/error-codes.ts";
import { frameType } from "../http2/frames.ts";
import type { Goaway } from "../http2/stream-failure.ts";

let onCreated: ((stream: UndiciResponseStream) => void) | null = null;
let isWatching = false;

/** Hands over the stream that undici opens next: at once, after it has said that a request starts. Null: nobody waits. */
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

/** A stream of node:http2's that undici reads: shows what undici leaves out, how the server ended it and if it may have processed the request. */
export class UndiciResponseStream {
  readonly #stream: ClientHttp2Stream;
  /** END_STREAM came. */
  #hasEnded = false;
  #hasResponded = false;
  /** The connection was sent away before its HEADERS were written. */
  #isUnwritten = false;

  constructor(stream: ClientHttp2Stream) {
    this.#stream = stream;
    const push = stream.push.bind(stream);
    // A reset ends it, too, but closes it first. By the event `end` it may be closed either way.
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

  /** The error code that closed it before END_STREAM; else null. */
  get resetCode(): number | null {
    const stream = this.#stream;
    return this.#hasEnded || !stream.closed ? null : stream.rstCode;
  }

  /** True where the server reset it as one that it did not process. */
  get isRefused(): boolean {
    return this.resetCode === errorCode.refusedStream;
  }

  /** True once any of a response has come: the server works on the request, whatever it says afterwards. */
  get hasResponded(): boolean {
    return this.#hasResponded;
  }

  /** Returns true where a GOAWAY names an earlier stream as the last, or kept this one from being written. */
  isLeftOutBy(goaway: Goaway | null): boolean {
    if (goaway === null) return false;
    return this.#isUnwritten || (this.#stream.id ?? Number.POSITIVE_INFINITY) > goaway.lastStreamId;
  }

  /**
   * Called as a GOAWAY comes. The heads of responses that came before it, in the same read, are emitted only afterwards, and
   * not to undici where it has given the stream up. `onLeftOut`: the server may have refused it, or nghttp2 writes no HEADERS any
   * more. undici keeps such a request until all others have ended.
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
