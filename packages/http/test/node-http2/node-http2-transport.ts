import {
  connect,
  type ClientHttp2Session,
  type ClientHttp2Stream,
  type ClientSessionOptions,
  type Settings,
} from "node:http2";

import type { Clock } from "@bearhug/plan/pacing/clock";

import { ConnectionMeter } from "../../src/transport/open-connection.ts";
import type { ConnectPhases, Peer } from "../../src/net/opening-connection.ts";
import type { Origin } from "../../src/net/origin.ts";
import type { ExchangeListener, Transport, WireBytes, WireRequest } from "../../src/transport/transport.ts";
import { TransportFailure, type TransportFailureInfo } from "../../src/failures/transport-failure.ts";
import { RequestFault } from "../../src/request/request-fault.ts";
import { NodeHttp2Exchange, type ExchangeOwner } from "./node-http2-exchange.ts";
import { LifeCheck, silenceMs } from "../../src/http2/life-check.ts";
import { requestFields } from "../../src/http2/request-fields.ts";
import { responseLimits } from "../../src/http2/response-fields.ts";
import { SessionKeeper } from "./session-keeper.ts";
import { mayBeOwn, streamFailure } from "./stream-failure.ts";
import type { Goaway } from "../../src/http2/stream-failure.ts";
import type { Http2Connection } from "../../src/http2/http2-transport.ts";
import { connectionWindowBytes, streamWindowBytes } from "../../src/http2/http2-stream.ts";

/** Stream numbers are odd, have 31 bits, and are never reused. */
const mostStreams = 2 ** 30 - 1;

/** The size of an RST_STREAM frame. */
const resetBytes = 13;

/** One HTTP/2 connection: a stream for each request. */
export class NodeHttp2Transport implements Transport, ExchangeOwner {
  readonly protocol = "HTTP/2";
  readonly isMultiplexed = true;
  readonly #connection: Http2Connection;
  readonly #session: ClientHttp2Session;
  readonly #exchanges: Map<ExchangeListener, NodeHttp2Exchange> = new Map();
  readonly #keeper: SessionKeeper = new SessionKeeper();
  readonly #lifeCheck: LifeCheck;
  readonly #mostRequests: number;
  carried = 0;
  /** The server's limit; 1 until the server has announced it (RFC 9113, section 3.4). */
  #allowed = 1;
  readonly #meter: ConnectionMeter;
  #goaway: Goaway | null = null;
  #hasServerBegun = false;
  #isGone = false;
  #isRetired = false;
  /** True if the connection waits for the server to close it. */
  #isClosing = false;

  constructor(connection: Http2Connection) {
    this.#connection = connection;
    this.#meter = new ConnectionMeter(connection);
    this.#mostRequests = Math.min(connection.maxRequests, mostStreams);
    this.#session = startSession(connection);
    this.#lifeCheck = new LifeCheck({
      ping: (answered) => this.#ping(answered),
      wire: connection.wire,
      clock: connection.clock,
      onAlive: () => {
        if (this.room > 0) connection.observer.onRoom(this);
      },
      onSilent: () => {
        this.#leave();
        if (this.isIdle) this.close();
      },
      onDead: () => {
        this.#closeWith({ kind: "silent", reason: `a PING got no reply within ${silenceMs} ms` });
      },
    });
    this.#session.on("remoteSettings", ({ maxConcurrentStreams }: Settings) => {
      this.#keeper.learn();
      this.#hasServerBegun = true;
      this.#allow(maxConcurrentStreams ?? Number.POSITIVE_INFINITY);
    });
    this.#session.on("goaway", (code: number, lastStreamId: number) => {
      this.#goaway = { code, lastStreamId };
      this.#leave();
    });
    // Each stream gets the same error, and the session closes.
    this.#session.on("error", () => {
      this.#leave();
    });
    this.#session.on("close", () => {
      this.close();
    });
  }

  get origin(): Origin {
    return this.#connection.origin;
  }

  get peer(): Peer {
    return this.#connection.peer;
  }

  get clock(): Clock {
    return this.#connection.clock;
  }

  get room(): number {
    // A session that is ending reports it a turn later.
    if (this.#isGone || this.#session.closed || this.#session.destroyed) return 0;
    const atOnce = Math.min(this.#connection.maxConcurrentStreams, this.#allowed) - this.#exchanges.size;
    return Math.max(0, Math.min(atOnce, this.#mostRequests - this.carried));
  }

  get isSuspect(): boolean {
    return this.#lifeCheck.isPending;
  }

  get bytesRead(): number {
    return this.#connection.wire.bytesRead;
  }

  get isIdle(): boolean {
    return this.#exchanges.size === 0;
  }

  send(request: WireRequest, listener: ExchangeListener): void {
    const { body } = request;
    let stream: ClientHttp2Stream;
    // The request is written at the end of the turn; one that cannot be written never starts.
    try {
      const endStream = body === null || body.length === 0;
      stream = this.#session.request(requestFields(request), { endStream });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      listener.onFailure(error instanceof RequestFault ? error : new RequestFault("INVALID_REQUEST", reason));
      return;
    }
    this.carried++;
    const exchange = new NodeHttp2Exchange(stream, listener, this);
    this.#exchanges.set(listener, exchange);
    listener.onStart();
    if (this.carried >= this.#mostRequests) this.#leave();
    exchange.begin(request);
  }

  cancel(listener: ExchangeListener, hasTimedOut: boolean): void {
    const exchange = this.#exchanges.get(listener);
    if (exchange === undefined) return;
    // No byte has come since the request began, for any stream: check before the next request is put on it.
    if (hasTimedOut && this.bytesRead === exchange.bytesReadBefore) this.#lifeCheck.begin();
    exchange.cancel();
  }

  pause(listener: ExchangeListener): void {
    this.#exchanges.get(listener)?.stream.pause();
  }

  resume(listener: ExchangeListener): void {
    this.#exchanges.get(listener)?.stream.resume();
  }

  takeBytes(): WireBytes {
    return this.#meter.takeBytes();
  }

  takeOpeningPhases(): ConnectPhases | null {
    return this.#meter.takeOpeningPhases();
  }

  retire(): void {
    this.#isRetired = true;
    this.#leave();
    if (this.isIdle) this.#closeInOrder();
  }

  close(): void {
    if (!this.#isClosing) this.#closeWith({ kind: "closed", reason: "the connection was closed" });
  }

  #closeWith(facts: TransportFailureInfo): void {
    this.#lifeCheck.stop();
    this.#leave();
    for (const exchange of this.#exchanges.values()) {
      if (exchange.isCutOff) this.#failExchange(exchange, false);
      else exchange.fail(new TransportFailure(facts));
    }
    this.#session.destroy();
    // Otherwise the session would wait for the server to read what is still to be written.
    this.#connection.socket.destroy();
    this.#connection.raw.destroy();
  }

  onOver({ listener, stream }: NodeHttp2Exchange, isComplete: boolean): void {
    this.#exchanges.delete(listener);
    if (!isComplete) this.#keeper.keepFor(stream);
    if (this.room > 0) this.#connection.observer.onRoom(this);
    else if (this.isIdle && (this.#isRetired || this.carried >= this.#mostRequests)) this.#closeInOrder();
  }

  /** Sends GOAWAY: most servers close the connection then. */
  #closeInOrder(): void {
    const { closing, socket, raw } = this.#connection;
    if (this.#isClosing || this.#session.closed || this.#session.destroyed) {
      this.close();
      return;
    }
    this.#isClosing = true;
    this.#lifeCheck.stop();
    this.#leave();
    this.#session.goaway();
    closing.add(socket, raw);
  }

  onCutOff(exchange: NodeHttp2Exchange): void {
    const { stream, error } = exchange;
    if (exchange.hasAnnouncedLength && !this.#session.destroyed) {
      exchange.complete();
      return;
    }
    const isReset = error === null || ("code" in error && error.code === "ERR_HTTP2_STREAM_ERROR");
    if (!isReset || !mayBeOwn(stream.rstCode) || (this.#session.state.outboundQueueSize ?? 0) > 0) {
      this.#failExchange(exchange, false);
      return;
    }
    // node:http2 does not report whose reset it was. One of ours is written before the turn ends; if the
    // queue was empty, nothing else is written, unless another request begins.
    const { socket, clock } = this.#connection;
    const { bytesWritten } = socket;
    const { carried } = this;
    clock.nextTurn(() => {
      const isOwn = this.carried === carried && socket.bytesWritten - bytesWritten >= resetBytes;
      this.#failExchange(exchange, isOwn);
    });
  }

  #failExchange(exchange: NodeHttp2Exchange, isOwnReset: boolean): void {
    const { stream, error, head, bodyBytes: received } = exchange;
    exchange.fail(
      streamFailure({
        id: stream.id,
        resetCode: stream.rstCode,
        error,
        goaway: this.#goaway,
        isConnectionClosed: this.#session.destroyed,
        hasServerBegun: this.#hasServerBegun,
        isOwnReset,
        body: head === null ? null : { announced: head.contentLength, received },
      }),
    );
  }

  #ping(answered: () => void): boolean {
    if (this.#session.closed || this.#session.destroyed) return false;
    this.#session.ping((error) => {
      if (error === null) answered();
    });
    return true;
  }

  #allow(streams: number): void {
    const before = this.room;
    this.#allowed = streams;
    if (this.room > before) this.#connection.observer.onRoom(this);
  }

  #leave(): void {
    if (this.#isGone) return;
    this.#isGone = true;
    this.#connection.observer.onGone(this);
  }
}

interface SessionOptions extends ClientSessionOptions {
  /** Node's types have this option for servers only. */
  readonly strictSingleValueFields: boolean;
}

function startSession({ origin, socket }: Http2Connection): ClientHttp2Session {
  const options: SessionOptions = {
    createConnection: () => socket,
    settings: {
      enablePush: false,
      initialWindowSize: streamWindowBytes,
      maxHeaderListSize: responseLimits.bytes,
    },
    maxHeaderListPairs: responseLimits.fields,
    // A test may send any header several times.
    strictSingleValueFields: false,
  };
  const session = connect(origin.text, options);
  session.setLocalWindowSize(connectionWindowBytes);
  return session;
}
