import type { Client } from "undici";

import type { ExchangeListener, WireRequest } from "../transport/transport.ts";
import { RequestFault } from "../request/request-fault.ts";
import { dispatchAsEngine } from "./own-dispatch.ts";
import { clientOn } from "./undici-client.ts";
import { UndiciTransport } from "./undici-transport.ts";
import { type UndiciConnection } from "./undici-client.ts";
import { UndiciExchange, type Carrier } from "./undici-exchange.ts";
import { closed, failureOf, isByPeer, pipelineBroken } from "./undici-failure.ts";
import { undiciRequest } from "./undici-request.ts";

/**
 * One HTTP/1.1 connection on which an undici `Client` speaks: one request at a time, or several with pipelining, which are
 * answered in their order.
 */
export class UndiciHttp1Transport extends UndiciTransport implements Carrier {
  override readonly protocol = "HTTP/1.1";
  override readonly isMultiplexed: boolean;
  readonly #client: Client;
  #dispatched = 0;
  #isGone = false;
  #isRetired = false;
  /** The name of the last request on it. */
  #lastName = "";
  /** Bytes that the socket had read when it became idle: all that come then are unasked. */
  #readBytes = 0;

  constructor(connection: UndiciConnection) {
    const { pipelining, socket } = connection;
    super(connection);
    this.isMultiplexed = pipelining > 1;
    // What it would repeat on another connection fails instead, each request for itself.
    this.#client = clientOn(connection, { allowH2: false, pipelining }, () => undefined);
    socket
      // undici tells the request on it.
      .on("error", () => undefined)
      .on("close", () => {
        if (this.isIdle) this.#endIdle();
      });
  }

  override get room(): number {
    const { socket, pipelining, maxRequests } = this.connection;
    if (this.#isGone || this.#isRetired || socket.destroyed) return 0;
    return Math.max(0, Math.min(pipelining - this.exchanges.size, maxRequests - this.#dispatched));
  }

  override send(request: WireRequest, listener: ExchangeListener): void {
    const { maxRequests } = this.connection;
    const exchange = new UndiciExchange(listener, this.connection, this);
    this.exchanges.set(listener, exchange);
    this.#dispatched++;
    const isLast = this.#dispatched >= maxRequests;
    const options = undiciRequest(request, this.connection, isLast);
    dispatchAsEngine(() => {
      this.#client.dispatch(options, exchange);
    });
  }

  override cancel(listener: ExchangeListener): void {
    const exchange = this.exchanges.get(listener);
    if (exchange === undefined) return;
    this.exchanges.delete(listener);
    exchange.drop();
    // One that undici has not written yet is in nobody's way until it would.
    if (exchange.hasStarted || this.isIdle) this.#lose(pipelineBroken());
  }

  override retire(): void {
    this.#isRetired = true;
    // Else the pool closes it, since it has no room.
    if (this.isIdle) this.#endIdle();
  }

  override close(): void {
    if (this.isIdle) this.#endIdle();
    else this.#lose(closed());
  }

  onUnwanted(): void {
    this.#lose(pipelineBroken());
  }

  onEnded(exchange: UndiciExchange): void {
    const { socket } = this.connection;
    this.exchanges.delete(exchange.listener);
    this.#lastName = exchange.listener.name;
    this.#readBytes = socket.bytesRead;
    // undici would go on to send a body that is with the socket; nobody wants it any more.
    if (socket.destroyed || !exchange.isSent) this.#lose(closed());
    exchange.end();
  }

  onFailed(exchange: UndiciExchange, error: Error): void {
    const { socket } = this.connection;
    const failure = failureOf(error, socket.readableEnded);
    this.exchanges.delete(exchange.listener);
    if (failure instanceof RequestFault && !exchange.hasStarted) {
      exchange.fail(failure);
      return;
    }
    const isUnsent = !exchange.hasStarted && socket.destroyed;
    // A connection that never carried anything does not open: another would be no better.
    const mayBeginAnew = isUnsent && this.carried > 0;
    this.#lose(isByPeer(failure) ? failure : pipelineBroken());
    if (mayBeginAnew) exchange.leaveUnsent();
    else exchange.fail(failure);
  }

  /** The peer, or undici itself, closed the connection, or bytes came that nobody asked for. */
  #endIdle(): void {
    if (this.#isGone) return;
    const unasked = this.connection.socket.bytesRead - this.#readBytes;
    this.#leave();
    if (unasked > 0) this.connection.observer.onUnrequestedBytes(this, unasked, this.#lastName);
  }

  /** The connection is over. Requests that were written have failed; others may begin on another. */
  #lose(error: Error): void {
    const left = [...this.exchanges.values()];
    this.exchanges.clear();
    this.#leave();
    for (const exchange of left) {
      if (exchange.hasStarted) exchange.fail(error);
      else exchange.leaveUnsent();
    }
  }

  #leave(): void {
    if (this.#isGone) return;
    this.#isGone = true;
    const { socket, raw, observer } = this.connection;
    // undici may be in the middle of its queue, which must not change under it.
    queueMicrotask(() => {
      this.#client.destroy(null, () => undefined);
    });
    socket.destroy();
    raw.destroy();
    observer.onGone(this);
  }
}
