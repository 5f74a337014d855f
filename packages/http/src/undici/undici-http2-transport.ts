import type { Http2Session } from "node:http2";

import { asError } from "@bearhug/plan/protocol/read-thrown";
import { errors, type Client } from "undici";

import { errorCode } from "../http2/error-codes.ts";
import { closed as closedUnder, goneAway, peerReset, type Goaway } from "../http2/stream-failure.ts";
import type { ExchangeListener, WireRequest } from "../transport/transport.ts";
import { dispatchAsEngine } from "./engine-dispatch.ts";
import { awaitStream } from "./response-stream.ts";
import { clientOn } from "./undici-client.ts";
import { UndiciTransport } from "./undici-transport.ts";
import { type UndiciConnection } from "./undici-client.ts";
import { UndiciExchange, type Carrier } from "./undici-exchange.ts";
import { closed } from "./undici-failure.ts";
import { isOfConnection, isOfGoaway, resetWithoutError, streamFailureOf } from "./undici-http2-failure.ts";
import { undiciHttp2Request } from "./undici-request.ts";

/**
 * One HTTP/2 connection that an undici `Client` uses. undici retries unprocessed requests by itself, which is
 * prevented here, so that each request is counted.
 */
export class UndiciHttp2Transport extends UndiciTransport implements Carrier {
  override readonly protocol = "HTTP/2";
  override readonly isMultiplexed = true;
  readonly #client: Client;
  #dispatched = 0;
  /** True while undici accepts no more requests: it knows how many streams the server allows. */
  #isBusy = false;
  /** True once the server's first SETTINGS have arrived. */
  #hasServerBegun = false;
  /** If several arrived, the last stream id is the lowest of them. */
  #goaway: Goaway | null = null;
  #session: Http2Session | null = null;
  #willRefuse = false;
  #isGone = false;

  constructor(connection: UndiciConnection) {
    const { socket, clock, maxConcurrentStreams } = connection;
    super(connection);
    // undici's own connector marks a server that speaks HTTP/2 without TLS in this way.
    if (!connection.origin.isSecure) Object.assign(socket, { alpnProtocol: "h2" });
    const options = { allowH2: true, h2Options: { maxConcurrentStreams } };
    this.#client = clientOn(connection, options, () => {
      this.#giveQueuedBack();
    });
    this.#client.on("drain", () => {
      this.#isBusy = false;
      this.#hasServerBegun = true;
      this.#reportRoom();
    });
    this.#client.on("disconnect", (_origin, _clients, error) => {
      if (isOfGoaway(error)) this.#giveQueuedBack();
      else this.#failAll(error);
    });
    socket
      // undici reports the error to the requests on the connection.
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
    // No bytes arrived for any request: the next one should get a connection that may be alive.
    const isSilent = hasTimedOut && exchange.bytesReadBefore === this.connection.raw.bytesRead;
    const isUntried = exchange.hasStarted && this.#isUntried();
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
    // It has no stream yet: undici skips it, and the other requests are not affected.
  }

  onEnded(exchange: UndiciExchange): void {
    this.exchanges.delete(exchange.listener);
    const reset = resetWithoutError(exchange);
    if (reset === null) exchange.end();
    // If the connection has ended, node:http2 closes its remaining streams as if they were cancelled.
    else this.#settle(exchange, this.connection.socket.destroyed ? new errors.SocketError() : reset);
    this.#closeWhenDone();
    this.#reportRoom();
  }

  onFailed(exchange: UndiciExchange, error: Error): void {
    awaitStream(null);
    if (this.#isLeftOut(exchange)) {
      this.#refuseLater();
      return;
    }
    this.exchanges.delete(exchange.listener);
    if (isOfConnection(error) || (exchange.hasStarted && this.#isUntried())) this.#leave();
    this.#settle(exchange, error);
    this.#closeWhenDone();
    this.#reportRoom();
  }

  /** True before the first byte: a stream destroyed before the first flush stops node:http2 from writing. */
  #isUntried(): boolean {
    return this.connection.raw.bytesRead === 0;
  }

  /** Watches for GOAWAY: undici only handles the first one, and does not report the last stream. */
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

  /** Returns true for a request that the server did not accept, and for one that was never written. */
  #isLeftOut({ stream }: UndiciExchange): boolean {
    return stream !== null && (stream.isRefused || stream.isLeftOutBy(this.#goaway));
  }

  /**
   * Fails the requests that were left out, after all events of the same read: a response proves that its
   * request was processed.
   */
  #refuseLater(): void {
    if (this.#willRefuse) return;
    this.#willRefuse = true;
    queueMicrotask(() => {
      this.#willRefuse = false;
      for (const exchange of [...this.exchanges.values()]) {
        if (!this.#isLeftOut(exchange) || !this.exchanges.delete(exchange.listener)) continue;
        exchange.fail(this.#whyLeftOut(exchange));
        // Otherwise undici would fail when it retries the request after its client was destroyed.
        exchange.cancel();
      }
      this.#closeWhenDone();
      this.#reportRoom();
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
    // A connection that never carried a request counts as one that did not open: another would be no better.
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

  /** Ends the requests that undici keeps for another connection: without a stream, or left out. */
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
    // Otherwise undici would fail when the socket of a destroyed client closes while it still has requests.
    for (const exchange of left) exchange.cancel();
    this.#closeWhenDone();
  }

  #reportRoom(): void {
    if (this.room > 0) this.connection.observer.onRoom(this);
  }

  /** Takes no more requests. Those in flight continue. */
  #leave(): void {
    if (this.#isGone) return;
    this.#isGone = true;
    this.connection.observer.onGone(this);
  }

  #closeWhenDone(): void {
    if (this.#isGone && this.isIdle) this.destroy(this.#client);
  }
}
