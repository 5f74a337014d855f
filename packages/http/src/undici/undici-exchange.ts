import { errors, type Dispatcher } from "undici";

import type { ExchangeListener } from "../transport/transport.ts";
import { errorCode } from "../http2/error-codes.ts";
import { peerReset } from "../http2/stream-failure.ts";
import type { UndiciResponseStream } from "./response-stream.ts";
import type { UndiciConnection } from "./undici-client.ts";
import { rawFieldsOf, UndiciResponseHead } from "./undici-head.ts";

/** The connection of an exchange, which is notified of its start and end. */
export interface Carrier {
  onStarted(exchange: UndiciExchange): void;
  /** undici is about to write a request that was cancelled. */
  onUnwanted(): void;
  onEnded(exchange: UndiciExchange): void;
  onFailed(exchange: UndiciExchange, error: Error): void;
}

/** One request in undici's client. It forwards undici's events to the listener. */
export class UndiciExchange implements Dispatcher.DispatchHandler {
  readonly listener: ExchangeListener;
  hasStarted = false;
  /** True once the whole request was handed to the system. */
  isSent = false;
  head: UndiciResponseHead | null = null;
  bodyBytes = 0;
  /** On HTTP/2, once undici has opened it; otherwise null. */
  stream: UndiciResponseStream | null = null;
  /** The connection's error at the end of the response; null if it was open, or ended by the server. */
  brokenBy: Error | null = null;
  /** Bytes that the whole connection had read when the request started. */
  bytesReadBefore: number = Number.NaN;
  /** True once undici has reported any response, even an interim one. */
  #hasBegun = false;
  readonly #carrier: Carrier;
  readonly #connection: UndiciConnection;
  #controller: Dispatcher.DispatchController | null = null;
  #isOver = false;
  /** When the first bytes of a head arrived that is not reported yet; otherwise NaN. */
  #begunAt: number = Number.NaN;

  constructor(listener: ExchangeListener, connection: UndiciConnection, carrier: Carrier) {
    this.listener = listener;
    this.#connection = connection;
    this.#carrier = carrier;
  }

  /** True once any response has begun, even if undici has not reported it yet. */
  get hasResponded(): boolean {
    return this.#hasBegun || this.stream?.hasResponded === true;
  }

  /** Stops forwarding events. */
  drop(): void {
    this.#isOver = true;
  }

  pause(): void {
    this.#controller?.pause();
  }

  resume(): void {
    this.#controller?.resume();
  }

  /** Cancels the request; on HTTP/2 this resets its stream. */
  cancel(): void {
    this.drop();
    this.#controller?.abort(new errors.RequestAbortedError());
  }

  /** Reports that the response is complete. */
  end(): void {
    this.#isOver = true;
    this.listener.onEnd(!this.isSent);
  }

  fail(error: Error): void {
    if (this.#isOver) return;
    // The bytes so far may have been the beginning of the response: no more will arrive.
    this.#reportFirstByte();
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
      // undici retries requests that the server refused. Such a retry is unwanted, and would not be counted.
      controller.abort(peerReset(errorCode.refusedStream, null));
      return;
    }
    this.#controller = controller;
    this.hasStarted = true;
    this.bytesReadBefore = this.#connection.raw.bytesRead;
    this.#carrier.onStarted(this);
    this.listener.onStart();
  }

  /** Called when undici has passed the request to the socket, which may still buffer some of it. */
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
    this.#reportFirstByte();
    this.head = head;
    this.listener.onHead(this.head);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#isOver) return;
    this.bodyBytes += chunk.length;
    this.listener.onBody(chunk);
  }

  onResponseEnd({ rawTrailers }: Dispatcher.DispatchController): void {
    if (!this.#isOver) this.#reportTrailers(rawTrailers ?? null);
    this.brokenBy = this.#connection.socket.errored;
    // undici must first read the other pending bytes, after which it knows if the connection stays open.
    process.nextTick(reportEnd, this);
  }

  /** Called when undici has read all bytes that arrived with the end of the response. */
  reportEnded(): void {
    if (!this.#isOver) this.#carrier.onEnded(this);
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    if (!this.#isOver) this.#carrier.onFailed(this, error);
  }

  #reportTrailers(given: Dispatcher.DispatchController["rawTrailers"] | null): void {
    if (given === null) return;
    const trailers = rawFieldsOf(given);
    if (trailers.length > 0) this.listener.onTrailers?.(trailers.map((text) => text.toString("latin1")));
  }

  #reportFirstByte(): void {
    if (Number.isNaN(this.#begunAt)) return;
    this.listener.onFirstByte(this.#begunAt);
    this.#begunAt = Number.NaN;
  }
}

function reportEnd(exchange: UndiciExchange): void {
  exchange.reportEnded();
}
