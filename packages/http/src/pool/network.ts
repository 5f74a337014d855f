import type { Socket } from "node:net";

import { protocols, type ValidatedHttp } from "@bearhug/plan/http-options/validated-http";
import type { Clock } from "@bearhug/plan/pacing/clock";

import { Http1Transport } from "../http1/http1-transport.ts";
import { Http2Transport } from "../http2/http2-transport.ts";
import { SharedReader } from "../net/shared-reader.ts";
import type { SpeakUndici } from "../undici/undici-client.ts";
import { ClosingSockets } from "../net/closing-sockets.ts";
import { ConnectionPool, type ConnectionCaller, type ConnectionSource } from "./connection-pool.ts";
import type { DialSettings, RequiredProtocol } from "../net/dial-settings.ts";
import { Dialer, type DialDependencies } from "../net/dialer.ts";
import { Opening } from "../net/opening.ts";
import { connectionsPerHost } from "./host-connections.ts";
import type { OpeningConnection, Peer } from "../net/opening-connection.ts";
import type { Origin } from "../net/origin.ts";
import type { WireCounters } from "../net/wire-counters.ts";
import type { Transport, TransportObserver } from "../transport/transport.ts";
import { TurnWrites } from "../transport/turn-writes.ts";

/** The parts of a worker that connections use. */
export interface NetworkDependencies extends DialDependencies {
  /** Called when bytes arrive on an idle connection. `lastName`: the name of the last request on it. */
  readonly onUnrequestedBytes: (origin: Origin, bytes: number, lastName: string) => void;
  /** Null if no options select undici, which takes time and memory to load. */
  readonly speakUndici: SpeakUndici | null;
}

/** If the event loop read from sockets this recently, it need not check again for pending data. */
const recentMs = 1;

const http2Required: RequiredProtocol = {
  id: "h2",
  name: "HTTP/2",
  hintWithoutTls: 'if the server speaks HTTP/2 without it, set protocol "h2c"',
};

/** The requirements of each `protocol` setting for opening connections. */
export const negotiations: Readonly<
  Record<ValidatedHttp["protocol"], Pick<DialSettings, "negotiation" | "needsTunnel">>
> = {
  auto: { negotiation: { offers: ["h2", "http/1.1"], required: null }, needsTunnel: false },
  http1: { negotiation: { offers: ["http/1.1"], required: null }, needsTunnel: false },
  http2: { negotiation: { offers: ["h2"], required: http2Required }, needsTunnel: false },
  h2c: { negotiation: { offers: ["h2"], required: null }, needsTunnel: true },
};

/** All connections of a worker with the same options, and the parts that they share. */
export class Network implements ConnectionSource {
  readonly #http: ValidatedHttp;
  readonly #clock: Clock;
  readonly #dialer: Dialer;
  readonly #onUnrequestedBytes: NetworkDependencies["onUnrequestedBytes"];
  /** Null if the engine's own transports are used. */
  readonly #speakUndici: SpeakUndici | null;
  readonly #closing: ClosingSockets;
  readonly #writes: TurnWrites;
  readonly #lastRead = { atMs: Number.NEGATIVE_INFINITY };
  /** The protocol that TLS negotiated, by origin. Until it is known, only one connection is opened. */
  readonly #negotiated = new Map<string, Transport["protocol"]>();
  /** Origins whose last connection did not open: requests try on their own, not waiting for the first. */
  readonly #unreached = new Set<string>();
  #sharedPool: ConnectionPool | null = null;

  /** `writes` is shared by the whole worker. */
  constructor(http: ValidatedHttp, dependencies: NetworkDependencies, writes: TurnWrites) {
    const { onUnrequestedBytes, clock, speakUndici } = dependencies;
    const isUndici = http.transport === "undici";
    if (isUndici && speakUndici === null) throw new TypeError("undici is not loaded");
    this.#http = http;
    this.#speakUndici = isUndici ? speakUndici : null;
    this.#onUnrequestedBytes = onUnrequestedBytes;
    this.#writes = writes;
    this.#clock = clock;
    this.#closing = new ClosingSockets(clock);
    this.#dialer = new Dialer({ ...http, ...negotiations[http.protocol] }, dependencies);
  }

  get isShared(): boolean {
    return this.#http.connections === "shared";
  }

  /** Prepares TLS before the load begins, if the test is known to use it. */
  prepareTls(): void {
    this.#dialer.prepareTls();
  }

  /** Returns the pool for one more VU: its own, or the one that all share. */
  pool(): ConnectionPool {
    if (!this.isShared) return new ConnectionPool(this);
    return (this.#sharedPool ??= new ConnectionPool(this));
  }

  limitOf(origin: Origin, open: number): number {
    const protocol = this.#protocolOf(origin);
    if (protocol === null && !this.#unreached.has(origin.text)) return 1;
    const { maxConnections, pipelining } = this.#http;
    // A connection that is being opened may have room for all waiters.
    if (protocol === "HTTP/2") return Math.min(maxConnections ?? 1, open + 1);
    const most = maxConnections ?? (this.isShared ? Number.POSITIVE_INFINITY : connectionsPerHost);
    return this.#speakUndici !== null && pipelining > 1 ? Math.min(most, open + 1) : most;
  }

  open(
    origin: Origin,
    { observer, sessions }: ConnectionCaller,
    opened: (result: Transport | Error) => void,
  ): OpeningConnection {
    const reader = this.#speakUndici === null ? new SharedReader() : null;
    const opening = new Opening(this.#dialer, origin, { sessions, reader }, (error, socket) => {
      const { raw, wire, peer } = opening;
      if (socket === null || raw === null || wire === null || peer === null) {
        this.#unreached.add(origin.text);
        opened(error ?? new Error("no connection"));
        return;
      }
      const transport = this.#speak({ origin, socket, raw, wire, peer, opening, observer, reader });
      if (origin.isWithoutHttp2 !== true) this.#negotiated.set(origin.text, transport.protocol);
      this.#unreached.delete(origin.text);
      opened(transport);
    });
    return opening;
  }

  onUnrequestedBytes(origin: Origin, bytes: number, lastName: string): void {
    this.#onUnrequestedBytes(origin, bytes, lastName);
  }

  mayHavePendingReads(): boolean {
    return this.#clock.latest() - this.#lastRead.atMs >= recentMs;
  }

  afterPendingReads(callback: () => void): void {
    // The loop may still be delivering earlier events: newer data is read in the turn after this one.
    this.#clock.nextTurn(() => {
      this.#clock.nextTurn(callback);
    });
  }

  giveUp(origin: Origin, opening: OpeningConnection): void {
    this.#unreached.add(origin.text);
    opening.cancel();
  }

  /** Creates the transport of a connection, and retires it at its maximum age, if there is one. */
  #speak(open: OpenSocket): Transport {
    const { maxConnectionAge } = this.#http;
    if (maxConnectionAge === null) return this.#speakOn(open);
    let transport: Transport | null = null;
    const cancel = this.#clock.at(this.#clock.now() + maxConnectionAge, () => transport?.retire());
    const { observer } = open;
    transport = this.#speakOn({
      ...open,
      observer: {
        onGone: (gone) => {
          cancel();
          observer.onGone(gone);
        },
        onUnrequestedBytes: (...event) => {
          observer.onUnrequestedBytes(...event);
        },
        onRoom: (roomy) => {
          observer.onRoom(roomy);
        },
      },
    });
    return transport;
  }

  #speakOn({ origin, socket, raw, wire, peer, opening, observer, reader }: OpenSocket): Transport {
    const { phases } = opening;
    const connection = {
      origin,
      socket,
      raw,
      wire,
      phases,
      peer,
      observer,
      clock: this.#clock,
      maxRequests: this.#maxRequests(),
      lastRead: this.#lastRead,
    };
    const { maxConcurrentStreams, pipelining, protocol } = this.#http;
    // This connection's own protocol: another connection to the same origin may have reached another server.
    const isHttp2 = opening.alpn === "h2" || protocol === "h2c";
    if (this.#speakUndici !== null) {
      return this.#speakUndici({
        ...connection,
        protocol: isHttp2 ? "HTTP/2" : "HTTP/1.1",
        proxy: this.#dialer.forwarding(origin),
        maxConcurrentStreams,
        pipelining,
      });
    }
    const own = {
      ...connection,
      closing: this.#closing,
      writes: this.#writes,
      reader: opening.isShared ? reader : null,
    };
    if (isHttp2) return new Http2Transport({ ...own, maxConcurrentStreams });
    return new Http1Transport({ ...own, proxy: this.#dialer.forwarding(origin) });
  }

  #maxRequests(): number {
    if (this.#http.connections === "perRequest") return 1;
    return this.#http.maxRequestsPerConnection ?? Number.POSITIVE_INFINITY;
  }

  /** Closes shared connections, and those that wait for the server to close. */
  close(): void {
    this.#sharedPool?.close();
    this.#closing.closeAll();
  }

  /** Returns the origin's protocol; null until a server has negotiated it. */
  #protocolOf(origin: Origin): Transport["protocol"] | null {
    if (origin.isWithoutHttp2 === true) return "HTTP/1.1";
    const { version } = protocols[this.#http.protocol];
    if (version !== null) return version;
    return origin.isSecure ? (this.#negotiated.get(origin.text) ?? null) : "HTTP/1.1";
  }
}

interface OpenSocket {
  readonly origin: Origin;
  readonly socket: Socket;
  readonly raw: Socket;
  readonly wire: WireCounters;
  readonly peer: Peer;
  readonly opening: OpeningConnection;
  readonly observer: TransportObserver;
  readonly reader: SharedReader | null;
}

/** The networks of a worker. Scenarios with equal options share look-ups, TLS contexts and shared pools. */
export class Networks {
  readonly #dependencies: NetworkDependencies;
  readonly #writes: TurnWrites;
  readonly #networks = new Map<string, Network>();
  /** By options object, for options that are the same for all virtual users. */
  readonly #known = new Map<ValidatedHttp, Network>();

  constructor(dependencies: NetworkDependencies) {
    this.#dependencies = dependencies;
    this.#writes = new TurnWrites(dependencies.clock);
  }

  /** `index`: the VU's number in its scenario. VUs with different client certificates share nothing. */
  of(given: ValidatedHttp, index = 0): Network {
    const known = this.#known.get(given);
    if (known !== undefined) return known;
    const options = withClient(given, index);
    const key = JSON.stringify(options);
    let network = this.#networks.get(key);
    if (network === undefined) {
      network = new Network(options, this.#dependencies, this.#writes);
      this.#networks.set(key, network);
    }
    if (options === given) this.#known.set(given, network);
    return network;
  }

  /** Closes connections that VUs shared. */
  close(): void {
    for (const network of this.#networks.values()) network.close();
  }
}

function withClient(options: ValidatedHttp, index: number): ValidatedHttp {
  const { tls } = options;
  const client = tls.clients[index % tls.clients.length];
  return client === undefined ? options : { ...options, tls: { ...tls, ...client, clients: [] } };
}
