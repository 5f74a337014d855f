import { isOverdue, overdueMs, type ExpiredGrace } from "@bearhug/plan/clients/client";
import type { Clock } from "@bearhug/plan/pacing/clock";
import type { RequestRow } from "@bearhug/plan/protocol/shared-accounting";
import type { ConnectionInfo, HttpPhase, Timings } from "@bearhug/sdk";
import type { Mask } from "@bearhug/text/secret-mask";

import type { ConnectPhases, OpeningConnection } from "../net/opening-connection.ts";
import type { ConnectionWaiter } from "../pool/host-connections.ts";
import type { ExchangeListener, ResponseHead, Transport, WireRequest } from "../transport/transport.ts";
import { RawResponseHeaders } from "../response/response-headers.ts";
import type { ReceivedResponse } from "../response/response.ts";
import type { ReceivedBody } from "../response/shared-body.ts";
import { KeptBody, type BodyShare } from "./kept-body.ts";
import type { Deadline, Expiring, Deadlines } from "./deadlines.ts";
import { timingsOf, type ExchangeStamps } from "../samples/request-samples.ts";
import { describeFailure } from "../failures/describe-failure.ts";
import type { MaskedFailure } from "../failures/failure-info.ts";
import { TransportFailure } from "../failures/transport-failure.ts";
import {
  BodyTooLarge,
  isOurCut,
  RequestAborted,
  RequestTimeout,
  Unanswered,
  type TimeoutBound,
} from "../failures/request-stopped.ts";
import type { ConnectionPool } from "../pool/connection-pool.ts";
import type { Endpoint } from "../request/endpoint.ts";
import type { ExchangeLimits } from "../request/request-limits.ts";

const noHeaders: readonly string[] = [];

/** Bytes kept of a discarded error body: more than exemplars show, so that secrets in it are found whole. */
const exemplarBytes = 1024;

/** A body has stalled if nothing arrived for this long, or if it is slower on average than any modem. */
const longestSilenceMs = 1000;
const minBytesPerMs = 1;

/** The caller of an exchange. */
export interface ExchangeCaller {
  /** Called once, when the request has ended and its connection has been released. */
  onSettled(exchange: Exchange): void;
}

/** The state of an exchange: see `Exchange`. */
type ExchangeState =
  | "new"
  | "queued"
  | "opening"
  | "connected"
  | "sending"
  | "waiting"
  | "receiving"
  | "ended";

/**
 * One request on its way, from the wait for a connection to the last byte: collects stamps, bytes and outcome.
 *
 * | state     | begins with                                                            | phase of a failure  |
 * | --------- | ---------------------------------------------------------------------- | ------------------- |
 * | new       | the constructor                                                        | blocked             |
 * | queued    | `begin`: the deadline runs; or its connection ended before `onStart`   | blocked             |
 * | opening   | `onOpening`: a connection is being opened for it                       | that of the opening |
 * | connected | `onConnection`: it holds a place on a connection                       | blocked             |
 * | sending   | `onStart`: its head is about to be written                             | sending             |
 * | waiting   | `onSent`: all of it is handed to the operating system                  | waiting             |
 * | receiving | `onFirstByte` of the final response, also while it is still being sent | receiving           |
 * | ended     | the last byte, a failure, a deadline, an abort or the hard stop        |                     |
 *
 * At the end it first releases its connection, and then notifies its caller.
 */
export class Exchange
  implements ExchangeListener, ConnectionWaiter, Expiring, ExchangeStamps, ReceivedResponse
{
  readonly request: ExchangeRequest;
  readonly owner: object;
  placeInLine: number | null = null;
  readonly calledAt: number;
  readonly intendedAt: number | null;
  startedAt: number = Number.NaN;
  sentAt: number = Number.NaN;
  firstByteAt: number = Number.NaN;
  endedAt: number = Number.NaN;
  status = 0;
  head: ResponseHead | null = null;
  protocol = "";
  bodyBytes = 0;
  bytesSent = 0;
  bytesReceived = 0;
  /** How the connection was opened, if this request was the first on it. */
  connection: ConnectPhases | null = null;
  error: MaskedFailure | null = null;
  /** The hard stop ended it. */
  wasStopped = false;
  /** We stopped waiting (timeout, limit, the test's signal, hard stop), so its times are lower bounds. */
  wasCutOff = false;
  /** The hard stop ended it, and it is neither a success nor a failure. */
  wasInterrupted = false;
  /** One of its timeouts passed. */
  hasTimedOut = false;
  /** The peer reported that it did not process the request: safe to retry. */
  isUnprocessed = false;
  /** The response was complete before the request's body was sent. */
  isUploadCut = false;
  /** Time in which the reader held the body back. */
  pausedMs = 0;
  /** Bytes after the end of the response that belong to no request. */
  surplusBytes = 0;
  readonly fromCache = false;
  readonly #dependencies: ExchangeDependencies;
  #deadline: Deadline | null = null;
  /** The deadline for connecting or for the first byte: never both at once. */
  #partDeadline: Deadline | null = null;
  readonly #caller: ExchangeCaller;
  /** Null if the body is discarded. */
  readonly #body: KeptBody | null;
  /** The beginning of a discarded body with an error status, for the exemplar. */
  #beginning: Uint8Array | null = null;
  #opening: OpeningConnection | null = null;
  #transport: Transport | null = null;
  #lastByteAt: number = Number.NaN;
  #isReused = false;
  #stopObserving: (() => void) | null = null;
  /** Null until the response is held back for the first time. */
  #paused: PausedTime | null = null;
  #state: ExchangeState = "new";
  /** True during the call to the pool: a connection received then was free, so the request did not wait. */
  #isRequestingConnection = false;

  constructor(request: ExchangeRequest, dependencies: ExchangeDependencies, caller: ExchangeCaller) {
    this.request = request;
    this.owner = dependencies.owner;
    this.#dependencies = dependencies;
    this.#caller = caller;
    this.calledAt = dependencies.clock.now();
    this.intendedAt = request.latenessMs === null ? null : this.calledAt - request.latenessMs;
    this.#body = request.limits.discardsBody ? null : new KeptBody(dependencies.bodies, request.endpoint);
  }

  /** Starts to wait for a connection. */
  begin(): void {
    const { row, limits, endpoint } = this.request;
    const { deadlines, pool } = this.#dependencies;
    this.#state = "queued";
    row.started();
    this.#deadline = deadlines.after(limits.timeouts.wholeMs, this, this.calledAt);
    if (limits.signal !== null) this.#observe(limits.signal);
    if (this.#isEnded()) return;
    this.#isRequestingConnection = true;
    pool.request(endpoint.origin, this);
    this.#isRequestingConnection = false;
  }

  get name(): string {
    return this.request.row.name;
  }

  get method(): string {
    return this.request.endpoint.method;
  }

  get url(): string {
    return this.request.endpoint.href;
  }

  get rawHeaders(): readonly string[] {
    return this.head?.rawHeaders() ?? noHeaders;
  }

  get body(): ReceivedBody | null {
    return this.#body?.received() ?? null;
  }

  /** The part of the body that is available for an exemplar. */
  get exemplarBody(): ReceivedBody | null {
    return this.body ?? (this.#beginning === null ? null : [this.#beginning]);
  }

  get whyNoBody(): ReceivedResponse["whyNoBody"] {
    return this.#body === null ? "discarded" : this.#body.whyNotKept;
  }

  connectionInfo(): ConnectionInfo | null {
    const transport = this.#transport;
    if (transport === null || Number.isNaN(this.startedAt)) return null;
    return { ...transport.peer, isReused: this.connection === null };
  }

  timings(): Timings {
    return timingsOf(this, this.connection);
  }

  onOpening(opening: OpeningConnection): void {
    this.#opening = opening;
    this.#state = "opening";
    this.#startPartDeadline("connect", this.request.limits.timeouts.connectMs);
  }

  onConnectFailed(error: Error): void {
    this.#settle(error);
  }

  onConnection(transport: Transport): void {
    this.#endPartDeadline();
    this.#transport = transport;
    this.#state = "connected";
    transport.send(this.request.wire, this);
  }

  onStart(atMs: number | null = null): void {
    this.#state = "sending";
    const { clock } = this.#dependencies;
    this.startedAt = atMs ?? (this.#isRequestingConnection ? this.calledAt : clock.now());
    const transport = this.#transport;
    if (transport !== null) {
      this.connection = transport.takeOpeningPhases();
      this.#isReused = transport.carried > 1;
      this.protocol = transport.protocol;
    }
    this.request.row.sent();
  }

  onSent(atMs: number): void {
    this.sentAt = atMs;
    if (this.#state !== "sending") return;
    this.#state = "waiting";
    this.#startPartDeadline("firstByte", this.request.limits.timeouts.firstByteMs);
  }

  /** An interim response proves that the connection is alive: a later failure is not a stale connection. */
  onInterim(_head: ResponseHead): void {
    this.#isReused = false;
  }

  onFirstByte(atMs: number): void {
    this.firstByteAt = atMs;
    this.#state = "receiving";
    this.#endPartDeadline();
  }

  onHead(head: ResponseHead): void {
    this.head = head;
    this.status = head.status;
  }

  onBody(chunk: Uint8Array, atMs: number = this.#dependencies.clock.now()): void {
    this.#lastByteAt = atMs;
    this.bodyBytes += chunk.length;
    if (this.bodyBytes > this.request.limits.maxBodyBytes) {
      this.#settle(new BodyTooLarge(this.request.limits.maxBodyBytes));
      return;
    }
    if (this.#body !== null) this.#body.add(chunk);
    else if (this.status >= 400) this.#beginning ??= Buffer.from(chunk.subarray(0, exemplarBytes));
  }

  onSurplus(bytes: number): void {
    this.surplusBytes = bytes;
  }

  onEnd(isBodyUnsent: boolean, atMs?: number): void {
    this.isUploadCut = isBodyUnsent;
    this.#body?.end();
    this.#settle(null, atMs);
  }

  onFailure(error: Error): void {
    this.#settle(error);
  }

  onUnsent(): void {
    const { pool } = this.#dependencies;
    if (this.#transport !== null) pool.release(this.#transport, this.owner);
    this.#transport = null;
    this.#state = "queued";
    pool.request(this.request.endpoint.origin, this);
  }

  /** Handles the whole request's deadline: postpones it by the time that the response was paused. */
  expire(): void {
    const now = this.#dependencies.clock.now();
    const leftMs = this.#paused?.grant(now) ?? 0;
    if (leftMs > 0) this.#deadline = this.#dependencies.deadlines.after(Math.ceil(leftMs), this, now);
    else this.#settle(new RequestTimeout("whole", this.request.limits.timeouts.wholeMs));
  }

  /** Holds the response back until `resume`. */
  pause(): void {
    if (this.#isEnded() || this.#transport === null || this.isPaused) return;
    this.#paused ??= new PausedTime();
    this.#paused.begin(this.#dependencies.clock.now());
    this.#transport.pause(this);
  }

  resume(): void {
    if (this.#isEnded() || !this.isPaused) return;
    this.#paused?.end(this.#dependencies.clock.now());
    this.#transport?.resume(this);
  }

  get isPaused(): boolean {
    return this.#paused?.isRunning === true;
  }

  /**
   * Ends the exchange because the test no longer reads it. That is a failure before the head, or if its time
   * was up; otherwise the response counts as received.
   */
  giveUp(hasTimedOut: boolean): void {
    this.#settle(this.head === null || hasTimedOut ? new RequestAborted() : null);
  }

  /** Called when the iteration's own code is over: stops waiting for a response that only it could read. */
  leaveUnread(): void {
    // A buffered response needs no reader.
  }

  /** True until it has a connection. */
  get isWaiting(): boolean {
    return this.#transport === null;
  }

  /**
   * Ends the exchange for the hard stop. `grace` is the grace period that ran out; null if something else
   * stopped the run. A request without a response for longer than that has failed; any other is neither a
   * success nor a failure.
   */
  stop(grace: ExpiredGrace | null): void {
    if (this.#isEnded()) return;
    this.wasStopped = true;
    this.wasInterrupted = grace === null || !this.#isOverdue(grace);
    this.#settle(grace === null || this.wasInterrupted ? null : new Unanswered(grace));
  }

  #isOverdue(grace: ExpiredGrace): boolean {
    const nowMs = this.#dependencies.clock.now();
    const { row } = this.request;
    if (this.head === null) return isOverdue(nowMs - this.calledAt, grace, row);
    if (this.isPaused || this.#isFlowing(nowMs)) return false;
    return isOverdue(nowMs - this.calledAt, grace, { longestWaitMs: row.longestTotalMs });
  }

  /** Returns true for an endless stream, and if the body still arrives fast enough for a large one to end. */
  #isFlowing(nowMs: number): boolean {
    const type = new RawResponseHeaders(this.rawHeaders).get("content-type") ?? "";
    if (type.trim().toLowerCase().startsWith("text/event-stream")) return true;
    const isSilent = !(nowMs - this.#lastByteAt < longestSilenceMs);
    return !isSilent && this.bodyBytes / (nowMs - this.firstByteAt) >= minBytesPerMs;
  }

  /**
   * True if its times count as samples: it started on a connection, and if the hard stop ended it, it had run
   * longer than requests with a response did. A shorter time would be a lower bound without information.
   */
  get hasTimes(): boolean {
    if (Number.isNaN(this.startedAt)) return false;
    return !this.wasStopped || this.endedAt - this.startedAt > overdueMs(this.request.row);
  }

  #startPartDeadline(bound: TimeoutBound, timeoutMs: number | null): void {
    if (timeoutMs === null) return;
    const { clock, deadlines } = this.#dependencies;
    const expire = (): void => {
      this.#settle(new RequestTimeout(bound, timeoutMs));
    };
    this.#partDeadline = deadlines.after(timeoutMs, { expire }, clock.now());
  }

  #endPartDeadline(): void {
    this.#partDeadline?.cancel();
    this.#partDeadline = null;
  }

  #observe(signal: AbortSignal): void {
    const abort = (): void => {
      this.#settle(new RequestAborted());
    };
    if (signal.aborted) {
      abort();
      return;
    }
    signal.addEventListener("abort", abort);
    this.#stopObserving = () => {
      signal.removeEventListener("abort", abort);
    };
  }

  #isEnded(): boolean {
    return this.#state === "ended";
  }

  #settle(error: unknown, atMs: number = this.#dependencies.clock.now()): void {
    if (this.#isEnded()) return;
    const phase = this.#phase();
    this.#state = "ended";
    this.endedAt = atMs;
    this.pausedMs = this.#paused?.until(this.endedAt) ?? 0;
    this.#deadline?.cancel();
    this.#endPartDeadline();
    this.#stopObserving?.();
    if (error !== null) this.#fail(error, phase);
    const transport = this.#transport;
    if (transport !== null) {
      transport.cancel(this, error instanceof RequestTimeout);
      ({ sent: this.bytesSent, received: this.bytesReceived } = transport.takeBytes());
    }
    const { pool } = this.#dependencies;
    try {
      if (transport === null) pool.cancel(this.request.endpoint.origin, this);
      else pool.release(transport, this.owner);
    } finally {
      this.#caller.onSettled(this);
    }
  }

  #fail(error: unknown, phase: HttpPhase): void {
    this.wasCutOff = isOurCut(error);
    this.hasTimedOut = error instanceof RequestTimeout;
    this.isUnprocessed = error instanceof TransportFailure && error.info.isUnprocessed === true;
    const info = {
      phase,
      isReused: this.#isReused,
      origin: this.request.endpoint.origin.text,
      bodyBytes: this.bodyBytes,
      hasHead: this.head !== null,
      contentType: new RawResponseHeaders(this.rawHeaders).get("content-type"),
      msSinceStart: Number.isNaN(this.startedAt) ? null : this.endedAt - this.startedAt,
      msSinceLastByte: Number.isNaN(this.#lastByteAt) ? null : this.endedAt - this.#lastByteAt,
      proxy: this.#opening?.waitsForProxy ?? null,
    };
    this.error = describeFailure(error, info, this.#dependencies.mask);
    this.status = 0;
  }

  #phase(): HttpPhase {
    switch (this.#state) {
      case "opening":
        return this.#opening?.phase ?? "blocked";
      case "sending":
      case "waiting":
      case "receiving":
        return this.#state;
      case "new":
      case "queued":
      case "connected":
      case "ended":
        return "blocked";
    }
  }
}

/** A request and the settings for sending it. */
export interface ExchangeRequest {
  readonly endpoint: Endpoint;
  readonly wire: WireRequest;
  readonly row: RequestRow;
  readonly limits: ExchangeLimits;
  /** How late an open model started the iteration, for its first request; null for others. */
  readonly latenessMs: number | null;
}

/** The dependencies of exchanges, the same for all requests of a VU. */
export interface ExchangeDependencies {
  readonly clock: Clock;
  readonly deadlines: Deadlines;
  readonly pool: ConnectionPool;
  /** Masks secrets in descriptions of failures. */
  readonly mask: Mask;
  /** The owner of the request, for shared pools. */
  readonly owner: object;
  /** Counts the bytes of kept bodies. */
  readonly bodies: BodyShare;
}

/**
 * Shorter pauses do not count: the reader is only busy with the last piece. If they counted, an endless
 * response would never time out.
 */
const minPauseMs = 100;

/** The time for which a reader has held a response back, in ms. */
class PausedTime {
  #sumMs = 0;
  #sinceMs: number = Number.NaN;
  #grantedMs = 0;

  get isRunning(): boolean {
    return !Number.isNaN(this.#sinceMs);
  }

  begin(nowMs: number): void {
    this.#sinceMs = nowMs;
  }

  end(nowMs: number): void {
    this.#sumMs = this.until(nowMs);
    this.#sinceMs = Number.NaN;
  }

  /** Returns the total, including the current pause. */
  until(nowMs: number): number {
    const lastMs = this.isRunning ? nowMs - this.#sinceMs : 0;
    return lastMs < minPauseMs ? this.#sumMs : this.#sumMs + lastMs;
  }

  /** Returns the paused time since the last call, in ms, by which a deadline is postponed. */
  grant(nowMs: number): number {
    const newMs = this.until(nowMs) - this.#grantedMs;
    this.#grantedMs += newMs;
    return newMs;
  }
}
