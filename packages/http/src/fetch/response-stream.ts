import { asError } from "@bearhug/plan/protocol/read-thrown";
import { StopSignal } from "@bearhug/sdk";
import { errors, util, type Dispatcher } from "undici";

import type { ResponseHead } from "../transport/transport.ts";
import type { Deadline } from "../exchange/deadlines.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { HttpEnvironment } from "../http-environment.ts";
import { keepCookies } from "../session/cookies.ts";
import type { Session } from "../session/session.ts";
import { dispatchError } from "./dispatch-error.ts";
import type { BodyReader } from "./dispatched-request.ts";

/** How long a body may still be received after the iteration's own code is over. */
export const drainMs = 1000;

const noHeaders: Readonly<Record<string, never>> = {};

/** One request as undici's clients see it: calls their handler, and is their controller. */
export class ResponseStream implements Dispatcher.DispatchController, BodyReader {
  aborted = false;
  reason: Error | null = null;
  rawHeaders: Buffer[] | string[] | null = null;
  rawTrailers: Buffer[] = [];
  readonly #handler: Dispatcher.DispatchHandler;
  readonly #session: Session;
  readonly #environment: HttpEnvironment;
  /** True if the handler is that of undici's `fetch`. */
  readonly #isForFetch: boolean;
  #exchange: Exchange | null = null;
  #hasHead = false;
  #isPaused = false;
  #isOver = false;
  #drain: Deadline | null = null;
  #bodyError: Error | null = null;
  #wholeBody: Uint8Array | null = null;

  constructor(
    handler: Dispatcher.DispatchHandler,
    session: Session,
    environment: HttpEnvironment,
    isForFetch: boolean,
  ) {
    this.#handler = handler;
    this.#session = session;
    this.#environment = environment;
    this.#isForFetch = isForFetch;
  }

  get paused(): boolean {
    return this.#isPaused;
  }

  /** Hands the controller to the handler, before all else. Returns false if the handler aborts at once. */
  begin(): boolean {
    try {
      this.#handler.onRequestStart?.(this, null);
    } catch (error) {
      this.abort(asError(error));
    }
    return !this.aborted;
  }

  abort(given?: unknown): void {
    if (this.aborted || this.#isOver) return;
    this.aborted = true;
    this.reason = reasonOf(given);
    this.#exchange?.giveUp(this.reason.name === "TimeoutError");
  }

  pause(): void {
    this.#isPaused = true;
    if (!this.#hasHead || this.#isOver) return;
    this.#exchange?.pause();
    if (this.#session.vu.isLeaving) this.leave();
  }

  resume(): void {
    this.#isPaused = false;
    this.#exchange?.resume();
  }

  /**
   * Called when the iteration's own code is over: aborts a body that is not being read, and limits the time
   * for the rest of others.
   */
  leave(): void {
    if (!this.#hasHead || this.#isOver) return;
    const { clock, deadlines } = this.#environment;
    this.#drain ??= deadlines.after(drainMs, this, clock.now());
    if (!this.#isPaused) return;
    clock.nextTurn(() => {
      if (this.#isPaused) this.expire();
    });
  }

  expire(): void {
    this.abort(new errors.RequestAbortedError("the iteration ended before its response was read"));
  }

  onStart(exchange: Exchange): void {
    this.#exchange = exchange;
  }

  onSent(): void {
    if (this.#wholeBody !== null) this.onBodySent(this.#wholeBody);
    this.#notify(() => this.#handler.onRequestSent?.());
  }

  onFirstByte(): void {
    this.#notify(() => this.#handler.onResponseStarted?.());
  }

  onHead(exchange: Exchange, head: ResponseHead): void {
    // `fetch` resolves at the head, and the next request may need the cookies.
    keepCookies(this.#session.visitor.cookies, exchange, this.#environment.mask);
    this.#hasHead = true;
    this.#notifyHead(head);
    if (this.#isPaused) this.pause();
    if (this.#session.vu.isLeaving) this.leave();
  }

  /** Reports an interim response like undici does: in the same way as the final one. */
  onInterim(head: ResponseHead): void {
    this.#notifyHead(head);
  }

  #notifyHead(head: ResponseHead): void {
    const raw = [...head.rawHeaders()];
    // `fetch` only reads raw headers, and accepts strings. Buffers would stay in memory with the response.
    this.rawHeaders = this.#isForFetch ? raw : raw.map((text) => Buffer.from(text, "latin1"));
    const headers = this.#isForFetch ? noHeaders : util.parseHeaders(raw);
    this.#notify(() => this.#handler.onResponseStart?.(this, head.status, headers, head.statusText));
  }

  /** `chunk` is only valid until the call returns, so the handler gets a copy. */
  onBody(chunk: Uint8Array): void {
    this.#notify(() => this.#handler.onResponseData?.(this, Buffer.from(chunk)));
  }

  onTrailers(fields: readonly string[]): void {
    this.rawTrailers = fields.map((text) => Buffer.from(text, "latin1"));
  }

  onBodySent(piece: Uint8Array): void {
    this.#notify(() => this.#handler.onBodySent?.(Buffer.from(piece)));
  }

  onWholeBody(bytes: Uint8Array): void {
    this.#wholeBody = bytes;
  }

  onBodyFailed(error: unknown): void {
    // The first error is the cause: closing the stream because of it may cause another one.
    this.#bodyError ??= asError(error);
  }

  /** Called when the exchange has settled. Calls `onNotified` after the handler has been notified. */
  onOver(exchange: Exchange, onNotified: () => void): void {
    const error = this.#errorOf(exchange);
    const isLate = error !== null && this.#hasHead && !this.aborted;
    this.#isOver = true;
    this.#drain?.cancel();
    // undici keeps the controller as long as the response, which would keep the exchange in memory.
    this.#exchange = null;
    if (isLate) {
      // If the head arrived in the same turn, `fetch` would reject as if there had been no response.
      this.#environment.clock.nextTurn(() => {
        this.fail(error);
        onNotified();
      });
      return;
    }
    if (error === null) this.#end();
    else this.fail(error);
    onNotified();
  }

  #end(): void {
    try {
      this.#handler.onResponseEnd?.(this, util.parseHeaders(this.rawTrailers));
    } catch (error) {
      this.fail(asError(error));
    }
  }

  fail(error: Error): void {
    this.#isOver = true;
    try {
      this.#handler.onResponseError?.(this, error);
    } catch (thrown) {
      // Like undici, reports it as an uncaught exception: there is no other handler.
      queueMicrotask(() => {
        throw thrown;
      });
    }
  }

  #errorOf({ error, wasStopped, head }: Exchange): Error | null {
    if (this.aborted) return this.reason;
    if (wasStopped) return new StopSignal();
    if (error === null) return null;
    if (error.code === "REQUEST_BODY_FAILED" && this.#bodyError !== null) return this.#bodyError;
    return dispatchError(error, head !== null);
  }

  /** Calls a handler's method. If it throws, aborts the request, like undici. */
  #notify(call: () => void): void {
    if (this.aborted || this.#isOver) return;
    try {
      call();
    } catch (error) {
      this.abort(asError(error));
    }
  }
}

function reasonOf(given: unknown): Error {
  if (given === undefined || given === null) return new errors.RequestAbortedError();
  return given instanceof Error ? given : asError(given);
}
