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
import type { BodyReader } from "./given-request.ts";

/** How long a body that still comes may go on when the iteration's own code is over. */
export const drainMs = 1000;

const noHeaders: Readonly<Record<string, never>> = {};

/** One request as undici's clients see it: tells their handler what comes, and does what they ask of the controller. */
export class ResponseStream implements Dispatcher.DispatchController, BodyReader {
  aborted = false;
  reason: Error | null = null;
  rawHeaders: Buffer[] | string[] | null = null;
  rawTrailers: Buffer[] = [];
  readonly #handler: Dispatcher.DispatchHandler;
  readonly #session: Session;
  readonly #environment: HttpEnvironment;
  /** The handler is that of undici's `fetch`. */
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

  /** Tells the handler of the controller, before anything happens. It may abort at once: false then. */
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

  /** The iteration's own code is over: what it does not read on it wants no more, and the rest has a moment to come. */
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
    this.#tell(() => this.#handler.onRequestSent?.());
  }

  onFirstByte(): void {
    this.#tell(() => this.#handler.onResponseStarted?.());
  }

  onHead(exchange: Exchange, head: ResponseHead): void {
    // `fetch` resolves now, and the next request may need them.
    keepCookies(this.#session.visitor.cookies, exchange, this.#environment.mask);
    this.#hasHead = true;
    this.#tellHead(head);
    if (this.#isPaused) this.pause();
    if (this.#session.vu.isLeaving) this.leave();
  }

  /** As undici tells of an informational response: like the final one, by its status. */
  onInterim(head: ResponseHead): void {
    this.#tellHead(head);
  }

  #tellHead(head: ResponseHead): void {
    const raw = [...head.rawHeaders()];
    // `fetch` looks at these alone, and texts do for it: buffers of them would stay in memory for as long as the response.
    this.rawHeaders = this.#isForFetch ? raw : raw.map((text) => Buffer.from(text, "latin1"));
    const headers = this.#isForFetch ? noHeaders : util.parseHeaders(raw);
    this.#tell(() => this.#handler.onResponseStart?.(this, head.status, headers, head.statusText));
  }

  /** `chunk` is only lent. */
  onBody(chunk: Uint8Array): void {
    this.#tell(() => this.#handler.onResponseData?.(this, Buffer.from(chunk)));
  }

  onTrailers(fields: readonly string[]): void {
    this.rawTrailers = fields.map((text) => Buffer.from(text, "latin1"));
  }

  onBodySent(piece: Uint8Array): void {
    this.#tell(() => this.#handler.onBodySent?.(Buffer.from(piece)));
  }

  onWholeBody(bytes: Uint8Array): void {
    this.#wholeBody = bytes;
  }

  onBodyFailed(error: unknown): void {
    // The first is the cause: a stream that is closed because of it reports that, too.
    this.#bodyError ??= asError(error);
  }

  /** The exchange has settled. `told`: the handler knows of it. */
  onOver(exchange: Exchange, told: () => void): void {
    const error = this.#errorOf(exchange);
    const isLate = error !== null && this.#hasHead && !this.aborted;
    this.#isOver = true;
    this.#drain?.cancel();
    // undici keeps the controller for as long as the response, which is longer than the exchange is of use.
    this.#exchange = null;
    if (isLate) {
      // The head may have come in the same turn: `fetch` would take the error for that of a response that it never had.
      this.#environment.clock.nextTurn(() => {
        this.fail(error);
        told();
      });
      return;
    }
    if (error === null) this.#end();
    else this.fail(error);
    told();
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
      // As in undici, it has nobody else to go to.
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

  /** A handler that throws gives the request up, as in undici. */
  #tell(call: () => void): void {
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
