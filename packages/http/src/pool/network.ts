import type { Socket } from "node:net";

import type { Clock } from "@bearhug/plan/pacing/clock";
import { protocols, type ValidatedHttp } from "@bearhug/sdk/internal";

import { Http1Transport } from "../http1/http1-transport.ts";
import { Http2Transport } from "../http2/http2-transport.ts";
import { SharedReader } from "../net/shared-reader.ts";
import type { SpeakUndici } from "../undici/undici-client.ts";
import { ClosingSockets } from "../net/closing-sockets.ts";
import { ConnectionPool, type ConnectionCaller, type ConnectionSource } from "./connection-pool.ts";
import type { DialSettings, RequiredProtocol } from "../net/dial-settings.ts";
import { Dialer, type DialDependencies } from "../net/dialer.ts";
import { connectionsPerHost } from "./host-connections.ts";
import type { OpeningConnection, Peer } from "../net/opening-connection.ts";
import type { Origin } from "../net/origin.ts";
import type { WireCounters } from "../net/wire-counters.ts";
import type { Transport, TransportObserver } from "../transport/transport.ts";
import { TurnWrites } from "../transport/turn-writes.ts";

/** The worker's parts that connections use. */
export interface NetworkDependencies extends DialDependencies {
  /** Bytes came on an idle connection, after the answer to the request of this name. */
  readonly onUnasked: (origin: Origin, bytes: number, lastName: string) => void;
  /** Null where no options ask for undici, which takes time and memory to load. */
  readonly speakUndici: SpeakUndici | null;
}

/** The loop looked for what has come so shortly before that it need not look again. */
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

/** All connections of a worker under one set of options, and the parts that they share. */
export class Network implements ConnectionSource {
  readonly #http: ValidatedHttp;
  readonly #clock: Clock;
  readonly #dialer: Dialer;
  readonly #onUnasked: NetworkDependencies["onUnasked"];
  /** Null: the engine speaks itself. */
  readonly #speakUndici: SpeakUndici | null;
  readonly #closing: ClosingSockets;
  readonly #writes: TurnWrites;
  readonly #lastRead = { atMs: Number.NEGATIVE_INFINITY };
  /** The protocol that TLS negotiated, by origin. Until it is known, a second connection waits for the first. */
  readonly #negotiated = new Map<string, Transport["protocol"]>();
  /** Origins whose last connection did not open: there is nothing to wait for, each request tries for itself. */
  readonly #unreached = new Set<string>();
  #sharedPool: ConnectionPool | null = null;

  /** `writes`: those of the worker. */
  constructor(http: ValidatedHttp, dependencies: NetworkDependencies, writes: TurnWrites) {
    const { onUnasked, clock, speakUndici } = dependencies;
    const isUndici = http.transport === "undici";
    if (isUndici && speakUndici === null) throw new TypeError("undici is not loaded");
    this.#http = http;
    this.#speakUndici = isUndici ? speakUndici : null;
    this.#onUnasked = onUnasked;
    this.#writes = writes;
    this.#clock = clock;
    this.#closing = new ClosingSockets(clock);
    this.#dialer = new Dialer({ ...http, ...negotiations[http.protocol] }, dependencies);
  }

  get isShared(): boolean {
    return this.#http.connections === "shared";
  }

  /** For whoever knows before the load begins that there will be TLS. */
  prepareTls(): void {
    this.#dialer.prepareTls();
  }

  /** The pool for one more VU: its own, or the one that all share. */
  pool(): ConnectionPool {
    if (!this.isShared) return new ConnectionPool(this);
    return (this.#sharedPool ??= new ConnectionPool(this));
  }

  limitOf(origin: Origin, open: number): number {
    const protocol = this.#protocolOf(origin);
    if (protocol === null && !this.#unreached.has(origin.text)) return 1;
    const { maxConnections, pipelining } = this.#http;
    // The one that is being opened may have room for all who wait.
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
    const opening = this.#dialer.open(origin, { sessions, reader }, (error, socket) => {
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

  onUnasked(origin: Origin, bytes: number, lastName: string): void {
    this.#onUnasked(origin, bytes, lastName);
  }

  catchUp(callback: () => void): boolean {
    if (this.#clock.now() - this.#lastRead.atMs < recentMs) return false;
    // The loop may be handing out what it has found: what came since is found in the turn after this one.
    this.#clock.nextTurn(() => {
      this.#clock.nextTurn(callback);
    });
    return true;
  }

  giveUp(origin: Origin, opening: OpeningConnection): void {
    this.#unreached.add(origin.text);
    opening.cancel();
  }

  /** Speaks on a connection until its greatest age, if there is one. */
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
        onUnasked: (...unasked) => {
          observer.onUnasked(...unasked);
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
      maxRequests: this.#maxRequests,
      lastRead: this.#lastRead,
    };
    const { maxConcurrentStreams, pipelining, protocol } = this.#http;
    // What this connection negotiated: another one to the same origin may have found another server.
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

  get #maxRequests(): number {
    if (this.#http.connections === "perRequest") return 1;
    return this.#http.maxRequestsPerConnection ?? Number.POSITIVE_INFINITY;
  }

  /** Closes what is shared, and what waits to be closed. */
  close(): void {
    this.#sharedPool?.close();
    this.#closing.closeAll();
  }

  /** Null while only a server can say. */
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

/** The networks of a worker: scenarios whose options are alike share look-ups, TLS contexts and shared connections. */
export class Networks {
  readonly #dependencies: NetworkDependencies;
  readonly #writes: TurnWrites;
  readonly #networks = new Map<string, Network>();
  /** By options that are the same for all virtual users. */
  readonly #known = new Map<ValidatedHttp, Network>();

  constructor(dependencies: NetworkDependencies) {
    this.#dependencies = dependencies;
    this.#writes = new TurnWrites(dependencies.clock);
  }

  /** `index` is that of a virtual user in its scenario: those with different client certificates share nothing. */
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
