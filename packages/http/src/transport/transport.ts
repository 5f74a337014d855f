import type { ErrorHeader } from "./error-header.ts";
import type { RequestBody } from "./wire-body.ts";
import type { ConnectPhases, Peer } from "../net/opening-connection.ts";
import type { Origin } from "../net/origin.ts";

/** A request as a transport writes it. */
export interface WireRequest {
  readonly method: string;
  readonly origin: Origin;
  /** Path and query, as in an address. */
  readonly path: string;
  /** Names and values in turn. `host`, `content-length`, `transfer-encoding` only if the test sets them. */
  readonly headers: readonly string[];
  readonly body: RequestBody | null;
  /** True if the same request is sent repeatedly, so that its serialized form may be cached. */
  readonly isConstant: boolean;
}

/** The head of a response. */
export interface ResponseHead {
  readonly status: number;
  /** The reason phrase of HTTP/1.1, each character one byte; empty on HTTP/2. */
  readonly statusText: string;
  /** Names and values in turn, as received, each character one byte. */
  rawHeaders(): readonly string[];
  /** True if there is a `set-cookie` header. Most responses have none, and need not be searched. */
  readonly setsCookie: boolean;
  /** The header by which it reports a failure, whatever its status; null without one. */
  readonly errorHeader: ErrorHeader | null;
}

/**
 * Receives the events of a request on a connection, in order. Exactly one of `onEnd`, `onFailure` and
 * `onUnsent` is called, and it comes last. After `cancel` nothing is called.
 */
export interface ExchangeListener {
  /** The request's name, for reports about its connection after the request has ended. */
  readonly name: string;
  /** The head is about to be written. `atMs`: the clock's time, if it was just read. */
  onStart(atMs?: number | null): void;
  /** The whole request was handed to the operating system at `atMs` by the clock. */
  onSent(atMs: number): void;
  /** An interim response arrived: the peer has the request. */
  onInterim(head: ResponseHead): void;
  /** The first byte of the final response arrived at `atMs`. Interim responses do not end the wait. */
  onFirstByte(atMs: number): void;
  onHead(head: ResponseHead): void;
  /** A piece of the body, a view that is valid until the call returns. `atMs`: when it was read, if known. */
  onBody(chunk: Uint8Array, atMs?: number): void;
  /** Trailers, names and values in turn. */
  onTrailers?(fields: readonly string[]): void;
  /** Bytes followed the end of the response that belong to no request; the connection is closed. */
  onSurplus(bytes: number): void;
  /**
   * The response is complete. `isBodyUnsent`: it was complete before the request's body was sent, so the rest
   * of the body is dropped. `atMs`: when its last bytes were read, if known.
   */
  onEnd(isBodyUnsent: boolean, atMs?: number): void;
  onFailure(error: Error): void;
  /** Called instead of all others: the connection ended before the request began. It may use another one. */
  onUnsent(): void;
}

/** An open connection: one request at a time on HTTP/1.1, streams of several on HTTP/2. */
export interface Transport {
  readonly protocol: "HTTP/1.1" | "HTTP/2";
  readonly origin: Origin;
  readonly peer: Peer;
  /** True if it carries several requests at once. */
  readonly isMultiplexed: boolean;
  /** The number of further requests that it takes now; 0 for good once it is closed or closing. */
  readonly room: number;
  /** True if no request is in flight. */
  readonly isIdle: boolean;
  /** True while it may be dead: new requests must use another connection, or wait. */
  readonly isSuspect: boolean;
  /** The number of requests that have begun on it. */
  readonly carried: number;
  send(request: WireRequest, listener: ExchangeListener): void;
  /**
   * Abandons a request that has not ended; on HTTP/1.1 this closes its connection. `hasTimedOut`: its time
   * was up, which may be the connection's fault.
   */
  cancel(listener: ExchangeListener, hasTimedOut: boolean): void;
  /** Stops reading a response until `resume`, which holds the peer back. Bytes already read still arrive. */
  pause(listener: ExchangeListener): void;
  resume(listener: ExchangeListener): void;
  /** Returns the wire bytes since the last call. */
  takeBytes(): WireBytes;
  /** Returns the phases of the opening on the first call, then null. */
  takeOpeningPhases(): ConnectPhases | null;
  /** Takes no more requests, and closes when those on it have ended. */
  retire(): void;
  /** Closes at once; requests on it fail. */
  close(): void;
}

export interface WireBytes {
  readonly sent: number;
  readonly received: number;
}

/** Receives the events of a transport. */
export interface TransportObserver {
  /** The transport closed, or takes no more requests. */
  onGone(transport: Transport): void;
  /** Bytes arrived on an idle HTTP/1.1 connection, which is closed. `lastName`: its last request's name. */
  onUnrequestedBytes(transport: Transport, bytes: number, lastName: string): void;
  /** A place became free, or the limit was raised. */
  onRoom(transport: Transport): void;
}
