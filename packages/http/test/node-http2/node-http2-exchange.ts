import { constants, type ClientHttp2Stream } from "node:http2";

import type { Clock } from "@bearhug/plan/pacing/clock";

import type { ExchangeListener, WireRequest } from "../../src/transport/transport.ts";
import { TransportFailure } from "../../src/failures/transport-failure.ts";
import { BodyUpload, type UploadListener } from "./body-upload.ts";
import { headersTooLarge, maxInterim, tooManyInterim } from "../../src/http2/stream-failure.ts";
import { exceedLimits, NodeResponseHead } from "./response-fields.ts";

/** Receives the events of a stream, for its connection. */
export interface ExchangeOwner {
  readonly clock: Clock;
  /** The bytes read on the whole connection so far. */
  readonly bytesRead: number;
  /** The exchange is over, with a complete response or without one, and its place is free. */
  onOver(exchange: NodeHttp2Exchange, isComplete: boolean): void;
  /** The stream was closed without a complete response; the connection finds out why. */
  onCutOff(exchange: NodeHttp2Exchange): void;
}

/** One request on its own stream, from its head to the end of the response. */
export class NodeHttp2Exchange implements UploadListener {
  readonly listener: ExchangeListener;
  readonly stream: ClientHttp2Stream;
  readonly bytesReadBefore: number;
  readonly #owner: ExchangeOwner;
  /** The error that node:http2 reported before it closed the stream. */
  error: Error | null = null;
  head: NodeResponseHead | null = null;
  bodyBytes = 0;
  /** True while the stream is closed and the cause is being determined. */
  isCutOff = false;
  #isOver = false;
  /** True if the server ended the stream. */
  #hasEnded = false;
  #interim = 0;
  #isSent = false;
  #upload: BodyUpload | null = null;

  constructor(stream: ClientHttp2Stream, listener: ExchangeListener, owner: ExchangeOwner) {
    this.stream = stream;
    this.listener = listener;
    this.#owner = owner;
    this.bytesReadBefore = owner.bytesRead;
    stream.on("response", (headers, flags, fields) => {
      this.#responded(headers[":status"] ?? 0, flags, fields);
    });
    stream.on("headers", (headers, _flags, fields) => {
      this.#informed(headers[":status"] ?? 0, fields);
    });
    stream.on("data", (chunk: Buffer) => {
      this.#received(chunk);
    });
    const push = stream.push.bind(stream);
    // Resets and closed connections also end the stream, but close it first. At the event it may be closed in
    // any case: if END_STREAM comes within a callback of TLS, what follows is processed before the event.
    stream.push = (chunk: Buffer | null, ...rest): boolean => {
      if (chunk === null && !stream.closed) this.#hasEnded = true;
      return push(chunk, ...rest);
    };
    stream.on("end", () => {
      if (!this.#isOver && this.#hasEnded) this.complete();
    });
    stream.on("error", (error: Error) => {
      this.error = error;
    });
    stream.on("close", () => {
      if (this.#isOver) return;
      this.isCutOff = true;
      owner.onCutOff(this);
    });
  }

  /** Writes the body, or reports the request as sent if it has none. */
  begin({ body }: WireRequest): void {
    if (this.#isOver) return;
    if (body === null || body.length === 0) this.#reportSent(this.#owner.clock.now());
    else if (body instanceof Uint8Array) this.#writeAll(body);
    else this.#upload = new BodyUpload(this.stream, body, this);
  }

  onUploaded(): void {
    this.#reportSent(this.#owner.clock.now());
  }

  #reportSent(atMs: number): void {
    if (this.#isSent || this.#isOver) return;
    this.#isSent = true;
    this.listener.onSent(atMs);
  }

  /** True if END_STREAM was written: node:http2 reports it later, when the response may have been read. */
  #isWritten(): boolean {
    return this.#isSent || this.stream.state.localClose === 1;
  }

  onUploadFailed(failure: TransportFailure): void {
    this.fail(failure);
  }

  fail(error: Error): void {
    if (this.#isOver) return;
    this.cancel();
    this.listener.onFailure(error);
  }

  /** Cancels the exchange: its listener gets no more events. */
  cancel(): void {
    if (this.#isOver) return;
    this.#finish();
    // A paused stream would never finish with its buffered data.
    this.stream.resume();
    this.stream.close(constants.NGHTTP2_CANCEL);
    this.#owner.onOver(this, false);
  }

  /**
   * True if the stream was reset with NO_ERROR instead of END_STREAM, as node:http2's servers do with
   * requests that they never read, and all of the announced length came. Without an announced length the
   * response is incomplete (RFC 9113, section 8.1): it could be cut.
   */
  get hasAnnouncedLength(): boolean {
    return (
      this.error === null &&
      this.stream.rstCode === constants.NGHTTP2_NO_ERROR &&
      this.head?.contentLength === this.bodyBytes
    );
  }

  /** Ends the exchange with a complete response. */
  complete(): void {
    const isBodyUnsent = !this.#isWritten();
    this.#finish();
    // The server will not read the rest of the request.
    if (isBodyUnsent) this.stream.close(constants.NGHTTP2_NO_ERROR);
    this.#owner.onOver(this, true);
    this.listener.onEnd(isBodyUnsent);
  }

  /** node:http2 writes when the turn ends: what flow control allows then was sent when it was handed over. */
  #writeAll(body: Uint8Array): void {
    const { clock } = this.#owner;
    const handedOverAt = clock.now();
    let isSameTurn = true;
    this.stream.end(body, () => {
      if (this.stream.writableFinished) this.#reportSent(isSameTurn ? handedOverAt : clock.now());
    });
    clock.nextTurn(() => {
      isSameTurn = false;
      if (this.#isWritten()) this.#reportSent(handedOverAt);
    });
  }

  #responded(status: number, flags: number, fields: readonly string[]): void {
    if (this.#isOver) return;
    if (this.#isWritten()) this.onUploaded();
    if (this.#isDone()) return;
    this.listener.onFirstByte(this.#owner.clock.now());
    if (this.#isDone()) return;
    if (exceedLimits(fields)) {
      this.fail(headersTooLarge());
      return;
    }
    this.head = new NodeResponseHead(status, fields);
    this.listener.onHead(this.head);
    const isLast = (flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0;
    if (isLast && !this.#isDone()) this.complete();
  }

  #informed(status: number, fields: readonly string[]): void {
    if (this.#isOver) return;
    this.#interim += 1;
    this.listener.onInterim(new NodeResponseHead(status, fields));
    if (this.#isDone()) return;
    if (this.#interim > maxInterim) this.fail(tooManyInterim());
  }

  #received(chunk: Buffer): void {
    if (this.#isOver) return;
    this.bodyBytes += chunk.length;
    this.listener.onBody(chunk);
  }

  #finish(): void {
    this.#isOver = true;
    this.#upload?.stop();
  }

  /** True if the exchange is over: its listener may have cancelled it in an event. */
  #isDone(): boolean {
    return this.#isOver;
  }
}
