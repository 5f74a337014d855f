import { eachOpeningPhase } from "@bearhug/sdk/internal";

import {
  ConnectionPool,
  type ConnectionCaller,
  type ConnectionSource,
} from "../../src/pool/connection-pool.ts";
import type { ConnectionWaiter } from "../../src/pool/host-connections.ts";
import type { OpeningConnection } from "../../src/net/opening-connection.ts";
import type { Origin } from "../../src/net/origin.ts";
import type {
  ExchangeListener,
  Transport,
  TransportObserver,
  WireRequest,
} from "../../src/transport/transport.ts";

const origin: Origin = {
  isSecure: true,
  host: "shop.example",
  port: 443,
  text: "https://shop.example",
  pool: "https://shop.example",
};

/** A connection that only counts its requests, which the test ends. */
export class CountingTransport implements Transport {
  readonly origin: Origin = origin;
  readonly peer = { remoteAddress: null, remotePort: null, tls: null };
  isSuspect = false;
  readonly protocol: Transport["protocol"];
  readonly isMultiplexed: boolean;
  /** The number of requests that it may carry at once. */
  allowed: number;
  inUse = 0;
  carried = 0;
  isClosed = false;
  readonly #observer: TransportObserver;

  constructor(protocol: Transport["protocol"], allowed: number, observer: TransportObserver) {
    this.protocol = protocol;
    this.isMultiplexed = protocol === "HTTP/2";
    this.allowed = allowed;
    this.#observer = observer;
  }

  get room(): number {
    return this.isClosed ? 0 : Math.max(0, this.allowed - this.inUse);
  }
  get isIdle(): boolean {
    return this.inUse === 0;
  }
  send(_request: WireRequest, listener: ExchangeListener): void {
    listener.onStart();
  }
  cancel(): void {
    this.close();
  }
  pause(): void {}
  resume(): void {}
  takeBytes() {
    return { sent: 0, received: 0 };
  }
  takeOpeningPhases() {
    return null;
  }
  retire(): void {
    if (this.isIdle) this.close();
  }
  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.#observer.onGone(this);
  }
  allow(streams: number): void {
    this.allowed = streams;
    this.#observer.onRoom(this);
  }
}

/** A connection that is opening until the test opens it or lets it fail. */
export interface HeldOpening extends OpeningConnection {
  readonly isCancelled: () => boolean;
  /** Opens it for so many requests at once. */
  readonly open: (protocol?: Transport["protocol"], allowed?: number) => CountingTransport;
  readonly fail: () => void;
}

export interface SourceOptions {
  readonly isShared?: boolean;
  readonly limit?: number;
}

/** A source of connections, which the test opens. */
export class HeldSource implements ConnectionSource {
  readonly isShared: boolean;
  limit: number;
  readonly openings: HeldOpening[] = [];
  /** Callbacks that wait for pending reads; null if idle connections are not checked. */
  #pendingChecks: (() => void)[] | null = null;

  /** From now on idle connections are checked before reuse; the returned function completes the checks. */
  checkIdle(): () => void {
    const waiting = (this.#pendingChecks = []) as (() => void)[];
    return () => {
      for (const callback of waiting.splice(0)) callback();
    };
  }

  constructor({ isShared = false, limit = 6 }: SourceOptions) {
    this.isShared = isShared;
    this.limit = limit;
  }

  limitOf(): number {
    return this.limit;
  }

  onUnrequestedBytes(): void {}

  mayHavePendingReads(): boolean {
    return this.#pendingChecks !== null;
  }

  afterPendingReads(callback: () => void): void {
    this.#pendingChecks?.push(callback);
  }

  giveUp(_origin: Origin, opening: OpeningConnection): void {
    opening.cancel();
  }

  open(
    _origin: Origin,
    { observer }: ConnectionCaller,
    opened: (result: Transport | Error) => void,
  ): OpeningConnection {
    let isCancelled = false;
    const opening: HeldOpening = {
      phases: eachOpeningPhase(() => 0),
      phase: "connecting",
      raw: null,
      wire: null,
      peer: null,
      alpn: null,
      isShared: false,
      waitsForProxy: null,
      cancel: () => {
        isCancelled = true;
      },
      isCancelled: () => isCancelled,
      open: (protocol = "HTTP/1.1", allowed = 1) => {
        const transport = new CountingTransport(protocol, allowed, observer);
        opened(transport);
        return transport;
      },
      fail: () => {
        opened(new Error("refused"));
      },
    };
    this.openings.push(opening);
    return opening;
  }
}

/** A request that keeps its connection until the test ends it. */
export class HeldRequest implements ConnectionWaiter {
  readonly name: string;
  readonly owner: object;
  placeInLine: number | null = null;
  state: "waiting" | "opening" | "served" | "failed" | "over" = "waiting";
  transport: CountingTransport | null = null;
  readonly #pool: TestPool;

  constructor(name: string, owner: object, pool: TestPool) {
    this.name = name;
    this.owner = owner;
    this.#pool = pool;
  }

  onOpening(): void {
    this.state = "opening";
  }
  onConnection(transport: Transport): void {
    if (!(transport instanceof CountingTransport)) throw new Error("not of this source");
    if (transport.room === 0) throw new Error(`${this.name} was handed a connection without room`);
    this.transport = transport;
    transport.inUse++;
    transport.carried++;
    this.state = "served";
    this.#pool.served.push(this.name);
    if (this.#pool.endsAtOnce) this.end();
  }
  onConnectFailed(): void {
    this.state = "failed";
    this.#pool.pool.cancel(origin, this);
  }

  /** Ends the request, as a complete response does. */
  end(): void {
    const { transport } = this;
    if (transport === null) throw new Error(`${this.name} has no connection`);
    this.state = "over";
    transport.inUse--;
    this.#pool.pool.release(transport, this.owner);
  }
  cancel(): void {
    this.state = "over";
    this.#pool.pool.cancel(origin, this);
  }
}

export class TestPool {
  readonly source: HeldSource;
  readonly pool: ConnectionPool;
  /** Names of requests, in the order in which they were handed a connection. */
  readonly served: string[] = [];
  /** True if each request ends while it is being handed its connection. */
  endsAtOnce = false;

  constructor(options: SourceOptions = {}) {
    this.source = new HeldSource(options);
    this.pool = new ConnectionPool(this.source);
  }

  request(name: string, owner: object = this): HeldRequest {
    const request = new HeldRequest(name, owner, this);
    this.pool.request(origin, request);
    return request;
  }

  /** Starts requests that are named `name0` and so on. */
  requests(count: number, name: string, owner: object = this): HeldRequest[] {
    return Array.from({ length: count }, (_, index) => this.request(`${name}${index}`, owner));
  }

  /** Opens all pending connections. */
  openAll(): void {
    for (const opening of this.source.openings.splice(0)) if (!opening.isCancelled()) opening.open();
  }
}
