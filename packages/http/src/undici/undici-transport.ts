import type { Client } from "undici";

import type { ConnectPhases, Peer } from "../net/opening-connection.ts";
import type { Origin } from "../net/origin.ts";
import { ConnectionMeter } from "../transport/open-connection.ts";
import type { ExchangeListener, Transport, WireBytes, WireRequest } from "../transport/transport.ts";
import type { UndiciExchange } from "./undici-exchange.ts";
import type { UndiciConnection } from "./undici-client.ts";

/** The common part of undici transports, independent of the HTTP version. */
export abstract class UndiciTransport implements Transport {
  abstract readonly protocol: Transport["protocol"];
  abstract readonly isMultiplexed: boolean;
  readonly isSuspect = false;
  carried = 0;
  protected readonly connection: UndiciConnection;
  /** In the order in which undici received them. */
  protected readonly exchanges: Map<ExchangeListener, UndiciExchange> = new Map();
  readonly #meter: ConnectionMeter;

  constructor(connection: UndiciConnection) {
    this.connection = connection;
    this.#meter = new ConnectionMeter(connection);
  }

  get origin(): Origin {
    return this.connection.origin;
  }

  get peer(): Peer {
    return this.connection.peer;
  }

  get isIdle(): boolean {
    return this.exchanges.size === 0;
  }

  abstract get room(): number;
  abstract send(request: WireRequest, listener: ExchangeListener): void;
  abstract cancel(listener: ExchangeListener, hasTimedOut: boolean): void;
  abstract retire(): void;
  abstract close(): void;

  pause(listener: ExchangeListener): void {
    this.exchanges.get(listener)?.pause();
  }

  resume(listener: ExchangeListener): void {
    this.exchanges.get(listener)?.resume();
  }

  takeBytes(): WireBytes {
    return this.#meter.takeBytes();
  }

  takeOpeningPhases(): ConnectPhases | null {
    return this.#meter.takeOpeningPhases();
  }

  onStarted(_exchange: UndiciExchange): void {
    this.carried++;
  }

  protected destroy(client: Client): void {
    const { socket, raw } = this.connection;
    // undici may be processing its queue, which must not change in the meantime.
    queueMicrotask(() => {
      client.destroy(null, () => undefined);
    });
    socket.destroy();
    raw.destroy();
  }
}
