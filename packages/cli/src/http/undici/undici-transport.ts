import { Client } from "undici";

import { ConnectionMeter } from "../transport/connection-meter.ts";
import type { ConnectPhases, Peer } from "../../net/opening-connection.ts";
import type { Origin } from "../../net/origin.ts";
import type { ExchangeListener, Transport, WireBytes, WireRequest } from "../transport/transport.ts";
import { dispatchAsEngine } from "./own-dispatch.ts";
import type { UndiciConnection } from "./undici-connection.ts";
import { UndiciExchange } from "./undici-exchange.ts";
import { closed, failureOf } from "./undici-failure.ts";
import { undiciRequest } from "./undici-request.ts";

/** As long as a timer of Node's can take. */
const longestMs = 2 ** 31 - 1;

/** Timeouts are the engine's; all else is as undici has it by default. */
const settings = {
  allowH2: false,
  pipelining: 1,
  headersTimeout: 0,
  bodyTimeout: 0,
  keepAliveTimeout: longestMs,
  keepAliveMaxTimeout: longestMs,
} as const satisfies Client.Options;

/** One HTTP/1.1 connection on which an undici `Client` speaks. It is handed our socket, and never opens another. */
export class UndiciTransport implements Transport {
  readonly protocol = "HTTP/1.1";
  readonly isSuspect = false;
  carried = 0;
  readonly #connection: UndiciConnection;
  readonly #client: Client;
  #hasSocket = false;
  #exchange: UndiciExchange | null = null;
  readonly #meter: ConnectionMeter;
  #isGone = false;
  /** Of the request that was last on it. */
  #lastName = "";
  /** Bytes that the socket had read when it became idle: all that come then are unasked. */
  #readBytes = 0;

  constructor(connection: UndiciConnection) {
    this.#connection = connection;
    this.#meter = new ConnectionMeter(connection);
    this.#client = new Client(connection.origin.text, {
      ...settings,
      connect: (_options, hand) => {
        if (this.#hasSocket) {
          hand(closed(), null);
          return;
        }
        this.#hasSocket = true;
        // Handed over at once, it would not be written to.
        queueMicrotask(() => {
          hand(null, connection.socket);
        });
      },
    });
    connection.socket
      // undici tells the request on it.
      .on("error", () => undefined)
      .on("close", () => {
        if (this.#exchange === null) this.#endIdle();
      });
  }

  get origin(): Origin {
    return this.#connection.origin;
  }

  get peer(): Peer {
    return this.#connection.peer;
  }

  get room(): number {
    return this.#isGone || this.#exchange !== null || this.#connection.socket.destroyed ? 0 : 1;
  }

  get isIdle(): boolean {
    return this.#exchange === null;
  }

  send(request: WireRequest, listener: ExchangeListener): void {
    const { proxy, maxRequests } = this.#connection;
    const exchange = new UndiciExchange(listener, this.#connection, this);
    this.#exchange = exchange;
    const options = undiciRequest(request, proxy, this.carried + 1 >= maxRequests);
    dispatchAsEngine(() => {
      this.#client.dispatch(options, exchange);
    });
  }

  cancel(listener: ExchangeListener): void {
    const exchange = this.#exchange;
    if (exchange?.listener !== listener) return;
    exchange.drop();
    this.#leave();
  }

  pause(listener: ExchangeListener): void {
    if (this.#exchange?.listener === listener) this.#exchange.pause();
  }

  resume(listener: ExchangeListener): void {
    if (this.#exchange?.listener === listener) this.#exchange.resume();
  }

  takeBytes(): WireBytes {
    return this.#meter.takeBytes();
  }

  takeFresh(): ConnectPhases | null {
    return this.#meter.takeFresh();
  }

  close(): void {
    const exchange = this.#exchange;
    if (exchange === null) this.#endIdle();
    else {
      this.#leave();
      exchange.fail(closed());
    }
  }

  onStarted(): void {
    this.carried++;
  }

  onEnded(exchange: UndiciExchange): void {
    const { socket } = this.#connection;
    this.#exchange = null;
    this.#lastName = exchange.listener.name;
    this.#readBytes = socket.bytesRead;
    // undici would go on to send a body that is with the socket; nobody wants it any more.
    if (socket.destroyed || !exchange.isSent) this.#leave();
    exchange.end(!exchange.isSent);
  }

  onFailed(exchange: UndiciExchange, error: Error): void {
    const isUnsent = !exchange.hasStarted && this.#connection.socket.destroyed;
    const hasCarried = this.carried > 0;
    this.#leave();
    // A connection that never carried anything does not open: another would be no better.
    if (isUnsent && hasCarried) exchange.leaveUnsent();
    else exchange.fail(failureOf(error, this.#connection.socket.readableEnded));
  }

  /** The peer, or undici itself, closed the connection, or bytes came that nobody asked for. */
  #endIdle(): void {
    if (this.#isGone) return;
    const unasked = this.#connection.socket.bytesRead - this.#readBytes;
    this.#leave();
    if (unasked > 0) this.#connection.observer.onUnasked(this, unasked, this.#lastName);
  }

  #leave(): void {
    this.#exchange = null;
    if (this.#isGone) return;
    this.#isGone = true;
    const { socket, raw, observer } = this.#connection;
    this.#client.destroy(null, () => undefined);
    socket.destroy();
    raw.destroy();
    observer.onGone(this);
  }
}
