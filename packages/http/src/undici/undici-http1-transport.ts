import type { Client } from "undici";

import type { ExchangeListener, WireRequest } from "../transport/transport.ts";
import { RequestFault } from "../request/request-fault.ts";
import { dispatchAsEngine } from "./engine-dispatch.ts";
import { clientOn } from "./undici-client.ts";
import { UndiciTransport } from "./undici-transport.ts";
import { type UndiciConnection } from "./undici-client.ts";
import { UndiciExchange, type Carrier } from "./undici-exchange.ts";
import { closed, failureOf, isByPeer, pipelineBroken } from "./undici-failure.ts";
import { undiciRequest } from "./undici-request.ts";

/**
 * One HTTP/1.1 connection that an undici `Client` uses: for one request at a time, or several with
 * pipelining, whose responses arrive in order.
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
  /** Bytes that the socket had read when it became idle: all later ones are unrequested. */
  #readBytes = 0;

  constructor(connection: UndiciConnection) {
    const { pipelining, socket } = connection;
    super(connection);
    this.isMultiplexed = pipelining > 1;
    // Requests that it would retry on another connection fail individually instead.
    this.#client = clientOn(connection, { allowH2: false, pipelining }, () => undefined);
    socket
      // undici reports the error to the request on the connection.
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
    // A queued request that undici has not written yet does no harm until undici writes it.
    if (exchange.hasStarted || this.isIdle) this.#lose(pipelineBroken());
  }

  override retire(): void {
    this.#isRetired = true;
    // Otherwise the pool closes it later, because it has no room.
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
    // undici takes a reset for the end of a body without a length.
    if (exchange.brokenBy !== null) {
      this.onFailed(exchange, exchange.brokenBy);
      return;
    }
    this.exchanges.delete(exchange.listener);
    this.#lastName = exchange.listener.name;
    this.#readBytes = socket.bytesRead;
    // undici would continue to send the rest of the body, which is no longer needed.
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
    // A connection that never carried a request counts as one that did not open: another would be no better.
    const mayStartOver = isUnsent && this.carried > 0;
    this.#lose(isByPeer(failure) ? failure : pipelineBroken());
    if (mayStartOver) exchange.leaveUnsent();
    else exchange.fail(failure);
  }

  /** Closes the idle connection: the peer or undici closed it, or unrequested bytes arrived. */
  #endIdle(): void {
    if (this.#isGone) return;
    const unrequested = this.connection.socket.bytesRead - this.#readBytes;
    this.#leave();
    if (unrequested > 0) this.connection.observer.onUnrequestedBytes(this, unrequested, this.#lastName);
  }

  /** Ends the connection. Requests that were written fail; others may start over on another one. */
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
    this.destroy(this.#client);
    this.connection.observer.onGone(this);
  }
}
