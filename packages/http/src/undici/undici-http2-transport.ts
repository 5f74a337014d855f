import type { Http2Session } from "node:http2";

import { asError } from "@bearhug/plan/protocol/read-thrown";
import { errors, type Client } from "undici";

import { errorCode } from "../http2/error-codes.ts";
import { closed as closedUnder, goneAway, peerReset, type Goaway } from "../http2/stream-failure.ts";
import type { ExchangeListener, WireRequest } from "../transport/transport.ts";
import { dispatchAsEngine } from "./own-dispatch.ts";
import { awaitStream } from "./response-stream.ts";
import { clientOn } from "./undici-client.ts";
import { UndiciTransport } from "./undici-transport.ts";
import { type UndiciConnection } from "./undici-client.ts";
import { UndiciExchange, type Carrier } from "./undici-exchange.ts";
import { closed } from "./undici-failure.ts";
import { isOfConnection, isOfGoaway, resetWithoutError, streamFailureOf } from "./undici-http2-failure.ts";
import { undiciHttp2Request } from "./undici-request.ts";

/**
 * One HTTP/2 connection on which an undici `Client` speaks. undici repeats by itself what the server did not process: here
 * it cannot, so that each request is one that was counted.
 */
export class UndiciHttp2Transport extends UndiciTransport implements Carrier {
  override readonly protocol = "HTTP/2";
  override readonly isMultiplexed = true;
  readonly #client: Client;
  #dispatched = 0;
  /** undici takes no more until it says so: it knows how many streams the server allows. */
  #isBusy = false;
  /** The SETTINGS came with which a server begins. */
  #hasServerBegun = false;
  /** If several came, the one with the lowest last stream. */
  #goaway: Goaway | null = null;
  #session: Http2Session | null = null;
  #willRefuse = false;
  #isGone = false;

  constructor(connection: UndiciConnection) {
    const { socket, clock, maxConcurrentStreams } = connection;
    super(connection);
    // By this, undici's own connector says that a server without TLS speaks HTTP/2.
    if (!connection.origin.isSecure) Object.assign(socket, { alpnProtocol: "h2" });
    const options = { allowH2: true, h2Options: { maxConcurrentStreams } };
    this.#client = clientOn(connection, options, () => {
      this.#giveQueuedBack();
    });
    this.#client.on("drain", () => {
      this.#isBusy = false;
      this.#hasServerBegun = true;
      this.#tellRoom();
    });
    this.#client.on("disconnect", (_origin, _clients, error) => {
      if (isOfGoaway(error)) this.#giveQueuedBack();
      else this.#failAll(error);
    });
    socket
      // undici tells the requests on it.
      .on("error", () => undefined)
      .on("close", () => {
        this.#leave();
        clock.nextTurn(() => {
          this.#failAll(closed());
        });
      });
  }

  override get room(): number {
    const { socket, maxConcurrentStreams, maxRequests } = this.connection;
    if (this.#isGone || this.#isBusy || socket.destroyed) return 0;
    return Math.max(0, Math.min(maxConcurrentStreams - this.exchanges.size, maxRequests - this.#dispatched));
  }

  override send(request: WireRequest, listener: ExchangeListener): void {
    const exchange = new UndiciExchange(listener, this.connection, this);
    try {
      const options = undiciHttp2Request(request, this.connection.clock);
      this.exchanges.set(listener, exchange);
      this.#dispatched++;
      if (this.#dispatched >= this.connection.maxRequests) this.#leave();
      dispatchAsEngine(() => {
        this.#isBusy = !this.#client.dispatch(options, exchange);
      });
    } catch (error) {
      this.onFailed(exchange, asError(error));
    }
  }

  override cancel(listener: ExchangeListener, hasTimedOut: boolean): void {
    const exchange = this.exchanges.get(listener);
    if (exchange === undefined) return;
    this.exchanges.delete(listener);
    // Not one byte came for anybody: the next request is to have a connection that may be alive.
    const isSilent = hasTimedOut && exchange.bytesReadBefore === this.connection.raw.bytesRead;
    const isUntried = exchange.hasStarted && this.#isUntried;
    if (isSilent || isUntried) this.#leave();
    const giveUp = (): void => {
      exchange.cancel();
      this.#closeWhenDone();
    };
    if (!isUntried) giveUp();
    else {
      exchange.drop();
      this.connection.clock.nextTurn(giveUp);
    }
  }

  override retire(): void {
    this.#leave();
    this.#closeWhenDone();
  }

  override close(): void {
    this.#failAll(closed());
  }

  override onStarted(exchange: UndiciExchange): void {
    super.onStarted(exchange);
    awaitStream((stream) => {
      exchange.stream = stream;
      this.#watch(stream.session ?? null);
    });
  }

  onUnwanted(): void {
    // It has no stream yet: undici leaves it out, and the others are not touched.
  }

  onEnded(exchange: UndiciExchange): void {
    this.exchanges.delete(exchange.listener);
    const reset = resetWithoutError(exchange);
    if (reset === null) exchange.end();
    // node:http2 closes what is left of a connection that ends as if it was cancelled.
    else this.#settle(exchange, this.connection.socket.destroyed ? new errors.SocketError() : reset);
    this.#closeWhenDone();
    this.#tellRoom();
  }

  onFailed(exchange: UndiciExchange, error: Error): void {
    awaitStream(null);
    if (this.#isLeftOut(exchange)) {
      this.#refuseLater();
      return;
    }
    this.exchanges.delete(exchange.listener);
    if (isOfConnection(error) || (exchange.hasStarted && this.#isUntried)) this.#leave();
    this.#settle(exchange, error);
    this.#closeWhenDone();
    this.#tellRoom();
  }

  /** A stream that is destroyed before the first flush keeps node:http2 from writing anything more. */
  get #isUntried(): boolean {
    return this.connection.raw.bytesRead === 0;
  }

  /** undici acts on the first GOAWAY alone, and does not report the last stream. */
  #watch(session: Http2Session | null): void {
    if (this.#session !== null || session === null) return;
    this.#session = session;
    session.prependListener("goaway", (code, lastStreamId) => {
      const isFirst = this.#goaway === null;
      const lowest = Math.min(lastStreamId, this.#goaway?.lastStreamId ?? lastStreamId);
      this.#goaway = { code, lastStreamId: lowest };
      this.#leave();
      this.#refuseLater();
      if (!isFirst) return;
      for (const { stream } of this.exchanges.values())
        stream?.watchAfterGoaway(() => {
          this.#refuseLater();
        });
    });
  }

  /** Returns true for a request that the server says it did not accept, and for one that was never written. */
  #isLeftOut({ stream }: UndiciExchange): boolean {
    return stream !== null && (stream.isRefused || stream.isLeftOutBy(this.#goaway));
  }

  /** Fails what was left out, when all that came in the same read is known: a response proves that its request was processed. */
  #refuseLater(): void {
    if (this.#willRefuse) return;
    this.#willRefuse = true;
    queueMicrotask(() => {
      this.#willRefuse = false;
      for (const exchange of [...this.exchanges.values()]) {
        if (!this.#isLeftOut(exchange) || !this.exchanges.delete(exchange.listener)) continue;
        exchange.fail(this.#whyLeftOut(exchange));
        // undici fails where it would repeat a request under a client that is destroyed.
        exchange.cancel();
      }
      this.#closeWhenDone();
      this.#tellRoom();
    });
  }

  #whyLeftOut({ stream, hasResponded }: UndiciExchange): Error {
    const goaway = this.#goaway;
    return goaway !== null && stream?.isLeftOutBy(goaway) === true
      ? goneAway(goaway, !hasResponded)
      : peerReset(errorCode.refusedStream, null, hasResponded);
  }

  #settle(exchange: UndiciExchange, error: Error): void {
    const { socket } = this.connection;
    // A connection that never carried anything does not open: another would be no better.
    if (!exchange.hasStarted && socket.destroyed && this.carried > 0) exchange.leaveUnsent();
    else if (this.#isLeftOut(exchange)) exchange.fail(this.#whyLeftOut(exchange));
    else {
      const isClosed = socket.destroyed || socket.readableEnded;
      const { head, hasResponded } = exchange;
      const isMismatch = error instanceof errors.ResponseContentLengthMismatchError;
      const reset = isMismatch ? resetWithoutError(exchange) : null;
      exchange.fail(
        streamFailureOf(reset ?? error, {
          goaway: this.#goaway,
          isClosed,
          hasServerBegun: this.#hasServerBegun || head !== null,
          hasResponded,
        }),
      );
    }
  }

  /** undici keeps requests for another connection: those without a stream, which were never written, and those that were left out. */
  #giveQueuedBack(): void {
    awaitStream(null);
    this.#leave();
    for (const exchange of [...this.exchanges.values()]) {
      if (exchange.stream !== null || !this.exchanges.delete(exchange.listener)) continue;
      if (exchange.hasStarted) exchange.fail(closedUnder(true));
      else exchange.leaveUnsent();
    }
    this.#refuseLater();
  }

  #failAll(error: Error): void {
    const left = [...this.exchanges.values()];
    this.exchanges.clear();
    this.#leave();
    for (const exchange of left) this.#settle(exchange, error);
    // undici fails where a socket closes under a client that is destroyed and still has requests.
    for (const exchange of left) exchange.cancel();
    this.#closeWhenDone();
  }

  #tellRoom(): void {
    if (this.room > 0) this.connection.observer.onRoom(this);
  }

  /** Takes no more requests. Those that it has go on. */
  #leave(): void {
    if (this.#isGone) return;
    this.#isGone = true;
    this.connection.observer.onGone(this);
  }

  #closeWhenDone(): void {
    if (!this.#isGone || !this.isIdle) return;
    const { socket, raw } = this.connection;
    // undici may be in the middle of its queue, which must not change under it.
    queueMicrotask(() => {
      this.#client.destroy(null, () => undefined);
    });
    socket.destroy();
    raw.destroy();
  }
}
