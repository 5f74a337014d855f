import { errors, type Dispatcher } from "undici";

import type { ExchangeListener } from "../transport/transport.ts";
import { errorCode } from "../http2/error-codes.ts";
import { peerReset } from "../http2/stream-failure.ts";
import type { UndiciResponseStream } from "./response-stream.ts";
import type { UndiciConnection } from "./undici-client.ts";
import { rawFieldsOf, UndiciResponseHead } from "./undici-head.ts";

/** Told how a request ends on its connection. */
export interface Carrier {
  onStarted(exchange: UndiciExchange): void;
  /** undici is about to write a request that was given up. */
  onUnwanted(): void;
  onEnded(exchange: UndiciExchange): void;
  onFailed(exchange: UndiciExchange, error: Error): void;
}

/** One request as undici's client carries it: tells the listener what undici tells. */
export class UndiciExchange implements Dispatcher.DispatchHandler {
  readonly listener: ExchangeListener;
  hasStarted = false;
  /** The body is with the system. */
  isSent = false;
  head: UndiciResponseHead | null = null;
  bodyBytes = 0;
  /** On HTTP/2, once undici has opened it. */
  stream: UndiciResponseStream | null = null;
  /** Bytes that the whole connection had read when the request started. */
  bytesReadBefore: number = Number.NaN;
  /** Any of a response was reported, an interim one too. */
  #hasBegun = false;
  readonly #carrier: Carrier;
  readonly #connection: UndiciConnection;
  #controller: Dispatcher.DispatchController | null = null;
  #isOver = false;
  /** When the first bytes of a head came that is not told yet; else NaN. */
  #begunAt: number = Number.NaN;

  constructor(listener: ExchangeListener, connection: UndiciConnection, carrier: Carrier) {
    this.listener = listener;
    this.#connection = connection;
    this.#carrier = carrier;
  }

  /** True once any of a response has come, though undici may not have reported it yet. */
  get hasResponded(): boolean {
    return this.#hasBegun || this.stream?.hasResponded === true;
  }

  /** Nothing more is told. */
  drop(): void {
    this.#isOver = true;
  }

  pause(): void {
    this.#controller?.pause();
  }

  resume(): void {
    this.#controller?.resume();
  }

  /** Gives it up: on HTTP/2 its stream is reset. */
  cancel(): void {
    this.drop();
    this.#controller?.abort(new errors.RequestAbortedError());
  }

  /** The response is whole. */
  end(): void {
    this.#isOver = true;
    this.listener.onEnd(!this.isSent);
  }

  fail(error: Error): void {
    if (this.#isOver) return;
    // What came may have been the beginning of the answer: nobody will say more.
    this.#tellBegin();
    this.#isOver = true;
    this.listener.onFailure(error);
  }

  leaveUnsent(): void {
    this.#isOver = true;
    this.listener.onUnsent();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#isOver) {
      this.#carrier.onUnwanted();
      controller.abort(new errors.RequestAbortedError());
      return;
    }
    if (this.hasStarted) {
      // undici repeats what the server refused: nobody has asked for that, and nobody would count it.
      controller.abort(peerReset(errorCode.refusedStream, null));
      return;
    }
    this.#controller = controller;
    this.hasStarted = true;
    this.bytesReadBefore = this.#connection.raw.bytesRead;
    this.#carrier.onStarted(this);
    this.listener.onStart();
  }

  /** undici has handed all to the socket, which may still hold some of it. */
  onRequestSent(): void {
    const { socket } = this.#connection;
    if (socket.writableNeedDrain) socket.once("drain", this.#onSent);
    else this.#onSent();
  }

  readonly #onSent = (): void => {
    if (this.#isOver) return;
    this.isSent = true;
    this.listener.onSent(this.#connection.clock.now());
  };

  onResponseStarted(): void {
    const { clock, lastRead } = this.#connection;
    this.#begunAt = lastRead.atMs = clock.now();
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    _headers: unknown,
    statusText = "",
  ): void {
    if (this.#isOver) return;
    this.#hasBegun = true;
    const head = new UndiciResponseHead(status, statusText, controller.rawHeaders);
    if (status < 200) {
      this.#begunAt = Number.NaN;
      this.listener.onInterim(head);
      return;
    }
    this.#tellBegin();
    this.head = head;
    this.listener.onHead(this.head);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#isOver) return;
    this.bodyBytes += chunk.length;
    this.listener.onBody(chunk);
  }

  onResponseEnd({ rawTrailers }: Dispatcher.DispatchController): void {
    if (!this.#isOver) this.#tellTrailers(rawTrailers ?? null);
    // Only when undici has read what else has come does it know whether the connection goes on.
    process.nextTick(tellEnd, this);
  }

  /** undici has read all that came with the end of the response. */
  tellEnded(): void {
    if (!this.#isOver) this.#carrier.onEnded(this);
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    if (!this.#isOver) this.#carrier.onFailed(this, error);
  }

  #tellTrailers(given: Dispatcher.DispatchController["rawTrailers"] | null): void {
    if (given === null) return;
    const trailers = rawFieldsOf(given);
    if (trailers.length > 0) this.listener.onTrailers?.(trailers.map((text) => text.toString("latin1")));
  }

  #tellBegin(): void {
    if (Number.isNaN(this.#begunAt)) return;
    this.listener.onFirstByte(this.#begunAt);
    this.#begunAt = Number.NaN;
  }
}

function tellEnd(exchange: UndiciExchange): void {
  exchange.tellEnded();
}
