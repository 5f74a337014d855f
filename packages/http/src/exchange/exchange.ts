import { isOverdue, overdueMs, type GraceOver } from "@bearhug/plan/clients/client";
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
import { timingsOf, type ExchangeStamps } from "./phases.ts";
import { describeFailure } from "../failures/describe-failure.ts";
import type { ToldFailure } from "../failures/failure-info.ts";
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

/** Kept of an error's body that the test discards: as much as is shown, and more to find secrets in. */
const exemplaryBytes = 1024;

/** A body of which nothing came for this long has stalled, and so has one that comes more slowly than by any modem. */
const longestSilenceMs = 1000;
const leastBytesPerMs = 1;

/** Whoever has a request sent. */
export interface ExchangeCaller {
  /** Called once, when the request has ended, and after its connection is free for others. */
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
 * | queued    | `begin`: the deadline runs; or the connection was over before `onStart`| blocked             |
 * | opening   | `onOpening`: a connection is opened for it                             | that of the opening |
 * | connected | `onConnection`: a place on a connection is its own                     | blocked             |
 * | sending   | `onStart`: its head is about to be written                             | sending             |
 * | waiting   | `onSent`: all of it is with the system                                 | waiting             |
 * | receiving | `onFirstByte` of the final response, also while it is still being sent | receiving           |
 * | ended     | the last byte, a failure, a deadline, an abort or the hard stop        |                     |
 *
 * At the end its connection is released first, and then its caller is told.
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
  error: ToldFailure | null = null;
  /** The hard stop ended it. */
  wasStopped = false;
  /** We stopped waiting for it, so that its times are lower bounds: timeouts, limits, the test's own signal, the hard stop. */
  wasCutOff = false;
  /** The hard stop ended it, and it is neither a success nor a failure. */
  wasInterrupted = false;
  /** One of its timeouts passed. */
  hasTimedOut = false;
  /** The peer said that it did nothing for the request: safe to repeat. */
  isUnprocessed = false;
  /** The answer was complete before the request's body was sent. */
  isUploadCut = false;
  /** Time in which nobody wanted more of the body. */
  pausedMs = 0;
  /** Bytes that came with the response and belong to nothing. */
  surplusBytes = 0;
  readonly fromCache = false;
  readonly #dependencies: ExchangeDependencies;
  #deadline: Deadline | null = null;
  /** The deadline of connecting or of the first byte: never both at once. */
  #partDeadline: Deadline | null = null;
  readonly #caller: ExchangeCaller;
  /** Null when it is discarded. */
  readonly #body: KeptBody | null;
  /** The beginning of a body that is discarded although its status is an error. */
  #beginning: Uint8Array | null = null;
  #opening: OpeningConnection | null = null;
  #transport: Transport | null = null;
  #lastByteAt: number = Number.NaN;
  #isReused = false;
  #disobey: (() => void) | null = null;
  /** Null while nobody has held the response back. */
  #paused: PausedTime | null = null;
  #state: ExchangeState = "new";
  /** A connection that comes meanwhile was free: nothing was waited for. */
  #isBeingCalled = false;

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
    if (limits.signal !== null) this.#obey(limits.signal);
    if (this.#isEnded) return;
    this.#isBeingCalled = true;
    pool.request(endpoint.origin, this);
    this.#isBeingCalled = false;
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

  /** As much of the body as there is for an exemplar. */
  get exemplaryBody(): ReceivedBody | null {
    return this.body ?? (this.#beginning === null ? null : [this.#beginning]);
  }

  get whyNoBody(): ReceivedResponse["whyNoBody"] {
    return this.#body === null ? "discarded" : this.#body.whyNot;
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
    this.#boundPart("connect", this.request.limits.timeouts.connectMs);
  }

  onConnectFailed(error: Error): void {
    this.#settle(error);
  }

  onConnection(transport: Transport): void {
    this.#unboundPart();
    this.#transport = transport;
    this.#state = "connected";
    transport.send(this.request.wire, this);
  }

  onStart(): void {
    this.#state = "sending";
    this.startedAt = this.#isBeingCalled ? this.calledAt : this.#dependencies.clock.now();
    const transport = this.#transport;
    if (transport !== null) {
      this.connection = transport.takeFresh();
      this.#isReused = transport.carried > 1;
      this.protocol = transport.protocol;
    }
    this.request.row.sent();
  }

  onSent(atMs: number): void {
    this.sentAt = atMs;
    if (this.#state !== "sending") return;
    this.#state = "waiting";
    this.#boundPart("firstByte", this.request.limits.timeouts.firstByteMs);
  }

  /** Not stale, then, however it ends. */
  onInterim(_head: ResponseHead): void {
    this.#isReused = false;
  }

  onFirstByte(atMs: number): void {
    this.firstByteAt = atMs;
    this.#state = "receiving";
    this.#unboundPart();
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
    else if (this.status >= 400) this.#beginning ??= Buffer.from(chunk.subarray(0, exemplaryBytes));
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

  /** The deadline of the whole passed: what was paused meanwhile is left to it. */
  expire(): void {
    const now = this.#dependencies.clock.now();
    const leftMs = this.#paused?.grant(now) ?? 0;
    if (leftMs > 0) this.#deadline = this.#dependencies.deadlines.after(Math.ceil(leftMs), this, now);
    else this.#settle(new RequestTimeout("whole", this.request.limits.timeouts.wholeMs));
  }

  /** Holds the response back until `resume`. */
  pause(): void {
    if (this.#isEnded || this.#transport === null || this.isPaused) return;
    this.#paused ??= new PausedTime();
    this.#paused.begin(this.#dependencies.clock.now());
    this.#transport.pause(this);
  }

  resume(): void {
    if (this.#isEnded || !this.isPaused) return;
    this.#paused?.end(this.#dependencies.clock.now());
    this.#transport?.resume(this);
  }

  get isPaused(): boolean {
    return this.#paused?.isRunning === true;
  }

  /** The test wants no more of it: a failure before the head, and where its time was up. Else the response was all that was wanted. */
  giveUp(hasTimedOut: boolean): void {
    this.#settle(this.head === null || hasTimedOut ? new RequestAborted() : null);
  }

  /** The iteration's own code is over: a response that only its code can read is not waited for. */
  leaveUnread(): void {
    // One that is kept whole needs nobody to read it.
  }

  /** True until a connection was handed to it. */
  get isWaiting(): boolean {
    return this.#transport === null;
  }

  /**
   * The hard stop. `grace` is the time that ran out by itself; null where something else stopped the run. A request that
   * had no answer for longer than that has failed; every other one is neither a success nor a failure.
   */
  stop(grace: GraceOver | null): void {
    if (this.#isEnded) return;
    this.wasStopped = true;
    this.wasInterrupted = grace === null || !this.#isOverdue(grace);
    this.#settle(grace === null || this.wasInterrupted ? null : new Unanswered(grace));
  }

  #isOverdue(grace: GraceOver): boolean {
    const nowMs = this.#dependencies.clock.now();
    const { row } = this.request;
    if (this.head === null) return isOverdue(nowMs - this.calledAt, grace, row);
    if (this.isPaused || this.#flows(nowMs)) return false;
    return isOverdue(nowMs - this.calledAt, grace, { slowestAnswerMs: row.slowestWholeMs });
  }

  /** The body still comes at a speed at which a large one would end; or it is a stream, which has no end. */
  #flows(nowMs: number): boolean {
    const type = new RawResponseHeaders(this.rawHeaders).get("content-type") ?? "";
    if (type.trim().toLowerCase().startsWith("text/event-stream")) return true;
    const isSilent = !(nowMs - this.#lastByteAt < longestSilenceMs);
    return !isSilent && this.bodyBytes / (nowMs - this.firstByteAt) >= leastBytesPerMs;
  }

  /**
   * True if its times are samples: a connection opened for it, and, where the hard stop ended it, so long before that the
   * time since is more than answered requests took. A shorter one would be a lower bound that says nothing.
   */
  get hasTimes(): boolean {
    if (Number.isNaN(this.startedAt)) return false;
    return !this.wasStopped || this.endedAt - this.startedAt > overdueMs(this.request.row);
  }

  #boundPart(bound: TimeoutBound, timeoutMs: number | null): void {
    if (timeoutMs === null) return;
    const { clock, deadlines } = this.#dependencies;
    const expire = (): void => {
      this.#settle(new RequestTimeout(bound, timeoutMs));
    };
    this.#partDeadline = deadlines.after(timeoutMs, { expire }, clock.now());
  }

  #unboundPart(): void {
    this.#partDeadline?.cancel();
    this.#partDeadline = null;
  }

  #obey(signal: AbortSignal): void {
    const abort = (): void => {
      this.#settle(new RequestAborted());
    };
    if (signal.aborted) {
      abort();
      return;
    }
    signal.addEventListener("abort", abort, { once: true });
    this.#disobey = () => {
      signal.removeEventListener("abort", abort);
    };
  }

  get #isEnded(): boolean {
    return this.#state === "ended";
  }

  #settle(error: unknown, atMs: number = this.#dependencies.clock.now()): void {
    if (this.#isEnded) return;
    const phase = this.#phase;
    this.#state = "ended";
    this.endedAt = atMs;
    this.pausedMs = this.#paused?.until(this.endedAt) ?? 0;
    this.#deadline?.cancel();
    this.#unboundPart();
    this.#disobey?.();
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

  get #phase(): HttpPhase {
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

/** A request, and how it is sent. */
export interface ExchangeRequest {
  readonly endpoint: Endpoint;
  readonly wire: WireRequest;
  readonly row: RequestRow;
  readonly limits: ExchangeLimits;
  /** How late an open model started the iteration, for its first request. */
  readonly latenessMs: number | null;
}

/** The surroundings of a request: the same for all of a VU's. */
export interface ExchangeDependencies {
  readonly clock: Clock;
  readonly deadlines: Deadlines;
  readonly pool: ConnectionPool;
  /** For what is said of failures. */
  readonly mask: Mask;
  /** Whose request it is, for pools that are shared. */
  readonly owner: object;
  /** Counts the bytes of kept bodies. */
  readonly bodies: BodyShare;
}

/** Shorter pauses are those of a reader that is busy with what it has: else a response without end would never time out. */
const leastPauseMs = 100;

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

  /** All of it, the pause that still goes on included. */
  until(nowMs: number): number {
    const lastMs = this.isRunning ? nowMs - this.#sinceMs : 0;
    return lastMs < leastPauseMs ? this.#sumMs : this.#sumMs + lastMs;
  }

  /** Returns the paused time since the last call, in ms: a deadline is put off by it. */
  grant(nowMs: number): number {
    const newMs = this.until(nowMs) - this.#grantedMs;
    this.#grantedMs += newMs;
    return newMs;
  }
}
