import type { RequestBody } from "./wire-body.ts";
import type { ConnectPhases, Peer } from "../net/opening-connection.ts";
import type { Origin } from "../net/origin.ts";

/** A request as a transport writes it. */
export interface WireRequest {
  readonly method: string;
  readonly origin: Origin;
  /** Path and query, as in an address. */
  readonly path: string;
  /** Names and values in turn; without `host`, `content-length` and `transfer-encoding`, unless the test gives them itself. */
  readonly headers: readonly string[];
  readonly body: RequestBody | null;
  /** Sent again and again as it is: how it is written may be kept. */
  readonly isConstant: boolean;
}

/** The head of a response. */
export interface ResponseHead {
  readonly status: number;
  /** The reason phrase of HTTP/1.1, each character one byte; empty on HTTP/2. */
  readonly statusText: string;
  /** Names and values in turn, as they came, each character one byte. */
  rawHeaders(): readonly string[];
  /** True if `set-cookie` is among them. Most responses have none, and need not be searched. */
  readonly setsCookie: boolean;
}

/**
 * Told what becomes of a request on a connection, in the order in which it happens; exactly one of `onEnd`,
 * `onFailure` and `onUnsent` is called, and last of all. After `cancel` nothing is.
 */
export interface ExchangeListener {
  /** The request's name, for what its connection has to tell when it has ended. */
  readonly name: string;
  /** The head is about to be written. */
  onStart(): void;
  /** The request was with the system, whole, at `atMs` by the clock. */
  onSent(atMs: number): void;
  /** An interim response came: the peer has the request. */
  onInterim(head: ResponseHead): void;
  /** The first byte of the final response came at `atMs` by the clock: interim ones are passed over, and the wait goes on. */
  onFirstByte(atMs: number): void;
  onHead(head: ResponseHead): void;
  /** A piece of the body, a view that holds until the call returns. `atMs`: when it was read, where the transport says. */
  onBody(chunk: Uint8Array, atMs?: number): void;
  /** Fields came behind the body, names and values in turn. For those who want them. */
  onTrailers?(fields: readonly string[]): void;
  /** Bytes came with the end of the response that belong to nothing; the connection is closed. */
  onSurplus(bytes: number): void;
  /**
   * `isBodyUnsent`: the answer was complete before the request's body was, which nobody wants any more. `atMs`: when its
   * last bytes were read, where the transport says.
   */
  onEnd(isBodyUnsent: boolean, atMs?: number): void;
  onFailure(error: Error): void;
  /** In place of all these: the connection was over before the request began, which may begin on another. */
  onUnsent(): void;
}

/** An open connection: one request at a time on HTTP/1.1, streams of several on HTTP/2. */
export interface Transport {
  readonly protocol: "HTTP/1.1" | "HTTP/2";
  readonly origin: Origin;
  readonly peer: Peer;
  /** True where it carries several requests at once. */
  readonly isMultiplexed: boolean;
  /** The number of further requests that it takes now; 0 for good once it is closed or closing. */
  readonly room: number;
  /** True if no request is in flight. */
  readonly isIdle: boolean;
  /** True while it may be dead: new requests are to go elsewhere, or to wait. */
  readonly isSuspect: boolean;
  /** The number of requests that have begun on it. */
  readonly carried: number;
  send(request: WireRequest, listener: ExchangeListener): void;
  /**
   * Gives a request up, if it has not ended: on HTTP/1.1 with its connection. `hasTimedOut`: its time was up, which may be
   * the connection's fault.
   */
  cancel(listener: ExchangeListener, hasTimedOut: boolean): void;
  /** Reads no more of a response until `resume`: the peer is held back. What was already read still comes. */
  pause(listener: ExchangeListener): void;
  resume(listener: ExchangeListener): void;
  /** Wire bytes since the last call. */
  takeBytes(): WireBytes;
  /** The phases of the opening, for the first that asks. */
  takeFresh(): ConnectPhases | null;
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
  /** It closed, or takes no more requests. */
  onGone(transport: Transport): void;
  /** Bytes came on an idle HTTP/1.1 connection, which is closed; the request named so was the last on it. */
  onUnasked(transport: Transport, bytes: number, lastName: string): void;
  /** A place came free or more are allowed than before. */
  onRoom(transport: Transport): void;
}
