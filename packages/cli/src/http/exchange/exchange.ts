import type { HttpErrorInfo } from "@bearhug/sdk";
import type { Dispatcher } from "undici";

import type { Clock } from "../../pacing/clock.ts";
import type { RequestRow } from "../../protocol/shared-accounting.ts";
import type { ConnectPhases } from "../connection/connect.ts";
import type { ConnectionPool, ConnectionWaiter } from "../connection/connection-pool.ts";
import type { ConnectionSlot } from "../connection/connection-slot.ts";
import type { Deadline, Deadlines, Expiring } from "./deadlines.ts";
import type { Endpoint } from "../request/endpoint.ts";
import type { ExchangeStamps } from "./phases.ts";
import { describeFailure, RequestTimeout, type RequestPhase } from "./request-error.ts";

/** Bodies up to here are kept for the test; beyond, they are counted only. */
const keptBodyBytes = 10 * 1024 * 1024;

export interface ExchangeDependencies {
  readonly clock: Clock;
  readonly deadlines: Deadlines;
  readonly pool: ConnectionPool;
}

/** One request on its way, from the wait for a connection to the last byte: collects stamps, bytes and outcome. */
export class Exchange implements Dispatcher.DispatchHandler, ConnectionWaiter, Expiring, ExchangeStamps {
  readonly endpoint: Endpoint;
  readonly calledAt: number;
  readonly intendedAt: number | null;
  startedAt: number = Number.NaN;
  sentAt: number = Number.NaN;
  firstByteAt: number = Number.NaN;
  endedAt: number = Number.NaN;
  status = 0;
  /** Name, value, name, value, … as they came. */
  rawHeaders: readonly Buffer[] = [];
  /** Null when there was more than is kept. */
  body: Buffer[] | null = [];
  bodyBytes = 0;
  bytesSent = 0;
  bytesReceived = 0;
  /** Of the connection, when this request was the first on it. */
  connection: ConnectPhases | null = null;
  error: HttpErrorInfo | null = null;
  wasInterrupted = false;
  readonly #row: RequestRow;
  readonly #options: Dispatcher.DispatchOptions;
  readonly #dependencies: ExchangeDependencies;
  readonly #deadline: Deadline;
  readonly #timeoutMs: number;
  readonly #settled: (exchange: Exchange) => void;
  #slot: ConnectionSlot | null = null;
  #isReused = false;
  #isSettled = false;

  constructor(
    endpoint: Endpoint,
    options: Dispatcher.DispatchOptions,
    row: RequestRow,
    timing: { readonly intendedAt: number | null; readonly timeoutMs: number },
    dependencies: ExchangeDependencies,
    settled: (exchange: Exchange) => void,
  ) {
    this.endpoint = endpoint;
    this.#options = options;
    this.#row = row;
    this.#dependencies = dependencies;
    this.#settled = settled;
    this.calledAt = dependencies.clock.now();
    this.intendedAt = timing.intendedAt;
    this.#timeoutMs = timing.timeoutMs;
    row.started();
    this.#deadline = dependencies.deadlines.after(timing.timeoutMs, this, this.calledAt);
    dependencies.pool.request(endpoint.origin, this);
  }

  onConnection(slot: ConnectionSlot): void {
    this.#slot = slot;
    slot.dispatch(this.#options, this);
  }

  onRequestStart(): void {
    this.startedAt = this.#dependencies.clock.now();
    this.connection = this.#slot?.takeFresh() ?? null;
    this.#isReused = this.#slot?.markCarried() ?? false;
    this.#row.sent();
  }

  onRequestSent(): void {
    this.sentAt = this.#dependencies.clock.now();
  }

  onResponseStarted(): void {
    if (Number.isNaN(this.firstByteAt)) this.firstByteAt = this.#dependencies.clock.now();
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number): void {
    if (status < 200) return;
    this.status = status;
    const { rawHeaders } = controller;
    if (Array.isArray(rawHeaders)) this.rawHeaders = rawHeaders.filter((part) => Buffer.isBuffer(part));
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.bodyBytes += chunk.length;
    if (this.body === null) return;
    if (this.bodyBytes > keptBodyBytes) this.body = null;
    else this.body.push(chunk);
  }

  onResponseEnd(): void {
    this.#settle(null);
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    this.#settle(error);
  }

  /** The deadline passed. */
  expire(): void {
    this.#settle(new RequestTimeout(this.#timeoutMs));
  }

  /** The run stops now: the request is neither a success nor a failure. */
  interrupt(): void {
    this.wasInterrupted = true;
    this.#settle(null);
  }

  #settle(error: unknown): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    this.endedAt = this.#dependencies.clock.now();
    this.#deadline.cancel();
    const isGood = error === null && !this.wasInterrupted;
    if (this.#slot !== null) {
      const { sent, received } = this.#slot.takeBytes();
      this.bytesSent = sent;
      this.bytesReceived = received;
    }
    if (error !== null) this.#fail(error);
    this.#settled(this);
    if (this.#slot === null) this.#dependencies.pool.cancel(this.endpoint.origin, this);
    else if (isGood) this.#dependencies.pool.release(this.#slot);
    else this.#dependencies.pool.discard(this.#slot);
  }

  #fail(error: unknown): void {
    this.error = describeFailure(error, {
      phase: this.#phase(),
      isReused: this.#isReused,
      origin: this.endpoint.origin.text,
      bodyBytes: this.bodyBytes,
    });
    this.status = 0;
  }

  #phase(): RequestPhase {
    if (this.#slot === null) return "blocked";
    if (Number.isNaN(this.startedAt)) return this.#slot.openingPhase;
    if (Number.isNaN(this.sentAt)) return "sending";
    return Number.isNaN(this.firstByteAt) ? "waiting" : "receiving";
  }
}
