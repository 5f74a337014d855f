import { type NetConnectOpts, type OnReadOpts, type Socket, isIP } from "node:net";
import type { TLSSocket } from "node:tls";

import { asError } from "@bearhug/plan/protocol/read-thrown";
import { eachOpeningPhase } from "@bearhug/sdk/internal";

import { ConnectFailure } from "./connect-failure.ts";
import type { HostAddress } from "./choose-address.ts";
import { dialTcp, type DialedSocket, type DialTarget } from "./dial-tcp.ts";
import type { Dialer } from "./dialer.ts";
import { NameLookUpError } from "./look-up.ts";
import type {
  ConnectPhases,
  OpeningConnection,
  OpeningOptions,
  OnOpened,
  Peer,
} from "./opening-connection.ts";
import type { Negotiation, RequiredProtocol } from "./dial-settings.ts";
import type { Origin } from "./origin.ts";
import { connectAsEngine, connectTlsAsEngine } from "./engine-sockets.ts";
import { openTunnel } from "./proxy-dialogue.ts";
import { httpDialogue } from "./proxy-tunnel.ts";
import { blameProxy, isSocks, proxyFailure, type Proxy } from "./proxy.ts";
import {
  awaitHandshake,
  shakeHands,
  tlsOf,
  type Handshake,
  handshakeOptions,
  serverName,
} from "./shake-hands.ts";
import { socksDialogue, type TunnelEnd } from "./socks-tunnel.ts";
import { countersBelow, isTlsSocket, type WireCounters } from "./wire-counters.ts";

const nothing = (): void => undefined;

/**
 * One connection that is being opened, step by step: resolves the host, connects, requests a tunnel and does
 * the TLS handshake, and measures each part. `done` is called later, once, unless the opening is cancelled.
 * Its socket is a `TLSSocket` for a secure origin.
 */
export class Opening implements OpeningConnection {
  readonly phases: ConnectPhases = eachOpeningPhase(() => 0);
  phase: keyof ConnectPhases = "lookingUp";
  raw: Socket | null = null;
  wire: WireCounters | null = null;
  peer: Peer | null = null;
  alpn: "h2" | "http/1.1" | null = null;
  waitsForProxy: string | null = null;
  isShared = false;
  readonly #dialer: Dialer;
  readonly #origin: Origin;
  readonly #options: OpeningOptions;
  readonly #done: OnOpened<Socket>;
  readonly #proxy: Proxy | null;
  /** The target of the tunnel that a SOCKS proxy opens. */
  #tunnelEnd: TunnelEnd;
  #remote: DialedSocket["remote"] = null;
  #isOver = false;
  /** When the phase began, by the clock. */
  #since: number;
  #stop: () => void = nothing;

  constructor(dialer: Dialer, origin: Origin, options: OpeningOptions, done: OnOpened<Socket>) {
    this.#dialer = dialer;
    this.#origin = origin;
    this.#options = options;
    this.#done = done;
    const { settings } = dialer;
    const proxy = dialer.proxyFor(origin);
    this.#proxy = proxy;
    this.#tunnelEnd = origin;
    this.#since = dialer.clock.now();
    const { required } = settings.negotiation;
    if (required !== null && !origin.isSecure)
      process.nextTick(() => this.#failUntried(withoutTls(origin, required)));
    else if (settings.unixSocket !== null) this.#dial({ path: settings.unixSocket });
    else if (proxy === null)
      this.#lookUp(origin, (addresses) => this.#dial(this.#target(addresses, origin.port)));
    else if (proxy.kind === "socks5") this.#lookUp(origin, (addresses) => this.#toProxyFor(addresses, proxy));
    else this.#toProxy(proxy);
  }

  cancel(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#stop();
  }

  /** Fails without having tried, unless it was cancelled in the meantime. */
  #failUntried(error: Error): void {
    if (!this.#isOver) this.#fail(error);
  }

  /** Dials a proxy for a target whose address is already resolved. */
  #toProxyFor([first]: readonly HostAddress[], proxy: Proxy): void {
    const { port } = this.#origin;
    if (first !== undefined) this.#tunnelEnd = { host: first.address, port: first.port ?? port };
    this.#toProxy(proxy);
  }

  #toProxy(proxy: Proxy): void {
    this.waitsForProxy = proxy.address;
    this.#lookUp(proxy, (addresses) => this.#dial(this.#target(addresses, proxy.port)));
  }

  #lookUp(
    { host, port }: Pick<Origin, "host" | "port">,
    found: (addresses: readonly HostAddress[]) => void,
  ): void {
    const { addresses } = this.#dialer;
    const known = addresses.known(host, port);
    if (known !== null) {
      if (known.length > 0) found(known);
      else
        process.nextTick(() =>
          this.#failUntried(new NameLookUpError(host, "hosts under dns.policy", "ENODATA")),
        );
      return;
    }
    this.#stop = addresses.find(host, (error, looked) => {
      this.#stamp("lookingUp");
      if (error === null) found(looked);
      else this.#fail(error);
    });
  }

  #target(addresses: readonly HostAddress[], port: number): DialTarget {
    return { port, addresses, from: this.#dialer.from };
  }

  #dial(target: DialTarget): void {
    this.phase = "connecting";
    const { onOpen, onClose, clock } = this.#dialer;
    this.#stop = dialTcp(target, { connect: this.#connector(target), clock }, (error, dialed) => {
      if (error !== null) {
        this.#stamp("connecting");
        this.#fail(error);
        return;
      }
      const { socket, remote } = dialed;
      this.raw = socket;
      this.#remote = remote;
      onOpen();
      socket.once("close", onClose);
      this.#connected(socket);
    });
  }

  /** Returns the function that connects. Without a tunnel, its socket reads into the shared memory. */
  #connector(target: DialTarget): (endpoint: NetConnectOpts) => Socket {
    const { reader } = this.#options;
    const proxy = this.#proxy;
    if (reader === null || (proxy !== null && this.#speaksToProxy(proxy))) return connectAsEngine;
    if (this.#origin.isSecure) return this.#tlsConnector(target, reader);
    this.isShared = true;
    return (endpoint) => connectAsEngine({ ...endpoint, onread: reader });
  }

  #tlsConnector(target: DialTarget, reader: OnReadOpts): (endpoint: NetConnectOpts) => Socket {
    try {
      const handshake = this.#handshake();
      if (mayDialTls(handshake, target)) return (endpoint) => dialTls(endpoint, reader, handshake);
    } catch {
      // The same error is reported after connecting, when the handshake begins.
    }
    return connectAsEngine;
  }

  /** Returns true if the proxy needs a handshake or a tunnel before the first byte to the origin. */
  #speaksToProxy(proxy: Proxy): boolean {
    return proxy.kind === "https" || this.#dialer.needsTunnel(this.#origin, proxy);
  }

  #connected(socket: Socket): void {
    const counters = isTlsSocket(socket) ? countersBelow(socket) : null;
    this.wire = counters ?? socket;
    if (isTlsSocket(socket) && counters !== null) this.#awaitHandshake(socket, counters);
    else if (this.#proxy?.kind === "https") this.#secureProxy(socket, this.#proxy);
    else this.#openTunnel(socket);
  }

  /** Does the TLS handshake with the proxy itself, which counts as connecting. */
  #secureProxy(tcp: Socket, proxy: Proxy): void {
    const { host, port, address } = proxy;
    const { tls } = this.#dialer.settings;
    const origin = { isSecure: true, host, port, text: `https://${address}`, pool: address };
    const settings = { negotiation: http1Only, tls: { ...tls, serverName: null } };
    const context = this.#createOrFail(tcp, () => this.#dialer.proxyContext);
    if (context === null) return;
    this.#stop = shakeHands(tcp, { origin, settings, context, sessions: null }, (error, socket) => {
      if (error === null) {
        socket.once("close", () => tcp.destroy());
        this.#openTunnel(socket);
        return;
      }
      this.#stamp("connecting");
      const isClosed = error instanceof ConnectFailure;
      this.#fail(isClosed ? proxyFailure(proxy, "closed the connection during the TLS handshake") : error);
    });
  }

  #openTunnel(socket: Socket): void {
    const proxy = this.#proxy;
    if (proxy === null || !this.#dialer.needsTunnel(this.#origin, proxy)) {
      this.#stamp("connecting");
      this.#reached(socket);
      return;
    }
    const done = (error: Error | null): void => {
      this.#stamp("connecting");
      if (error === null) this.#reached(socket);
      else this.#fail(error);
    };
    const dialogue = isSocks(proxy)
      ? socksDialogue(this.#tunnelEnd, proxy)
      : httpDialogue(this.#origin, proxy);
    this.#stop = openTunnel(socket, dialogue, done);
  }

  #reached(socket: Socket): void {
    this.waitsForProxy = null;
    if (this.#origin.isSecure) this.#shakeHands(socket);
    else this.#open(socket, null);
  }

  #shakeHands(raw: Socket): void {
    this.phase = "tlsHandshaking";
    const handshake = this.#createOrFail(raw, () => this.#handshake());
    if (handshake === null) return;
    this.#stop = shakeHands(raw, handshake, (...result) => {
      this.#shaken(...result);
    });
  }

  /** Waits for the handshake of a TLS socket that dialled by itself. */
  #awaitHandshake(socket: TLSSocket, wire: WireCounters): void {
    this.isShared = true;
    this.#stamp("connecting");
    this.phase = "tlsHandshaking";
    this.#stop = awaitHandshake({ socket, raw: socket, wire }, this.#handshake(), (...result) => {
      this.#shaken(...result);
    });
  }

  /** @throws if the TLS context cannot be created */
  #handshake(): Handshake {
    const { tls, negotiation } = this.#dialer.settings;
    const settings = { tls, negotiation: this.#origin.isWithoutHttp2 === true ? http1Only : negotiation };
    const sessions = tls.resumeSessions ? this.#options.sessions : null;
    return { origin: this.#origin, settings, context: this.#dialer.context, sessions };
  }

  #shaken(...[error, socket]: Parameters<OnOpened<TLSSocket>>): void {
    this.#stamp("tlsHandshaking");
    if (error !== null) {
      this.#finish(error, null);
      return;
    }
    const { alpnProtocol } = socket;
    this.alpn = alpnProtocol === "h2" || alpnProtocol === "http/1.1" ? alpnProtocol : null;
    this.#open(socket, tlsOf(socket));
  }

  /** Calls `create`. If it throws, destroys the socket, fails the opening and returns null. */
  #createOrFail<T>(socket: Socket, create: () => T): T | null {
    try {
      return create();
    } catch (error) {
      socket.destroy();
      this.#finish(asError(error), null);
      return null;
    }
  }

  #open(socket: Socket, tls: Peer["tls"]): void {
    this.peer = { remoteAddress: this.#remote?.host ?? null, remotePort: this.#remote?.port ?? null, tls };
    this.#finish(null, socket);
  }

  #stamp(phase: keyof ConnectPhases): void {
    const now = this.#dialer.clock.now();
    this.phases[phase] = now - this.#since;
    this.#since = now;
  }

  #fail(error: Error): void {
    this.#finish(this.waitsForProxy === null ? error : blameProxy(error, this.waitsForProxy), null);
  }

  #finish(...result: Parameters<OnOpened<Socket>>): void {
    this.#isOver = true;
    this.#stop = nothing;
    this.#done(...result);
  }
}

/** For TLS with a proxy itself, and for origins without HTTP/2. */
const http1Only: Negotiation = { offers: ["http/1.1"], required: null };

function withoutTls({ text }: Origin, { name, hintWithoutTls }: RequiredProtocol): ConnectFailure {
  const reason = `${name} is negotiated in TLS, but ${text} has no TLS: ${hintWithoutTls}`;
  return new ConnectFailure({ kind: "notNegotiated", reason });
}

/** Returns true if node:tls may dial: it stores sessions of a nameless server under the dialled address. */
function mayDialTls(handshake: Handshake, target: DialTarget): boolean {
  const name = serverName(handshake);
  return (
    isIP(name) === 0 || ("addresses" in target && target.addresses.every(({ address }) => address === name))
  );
}

/**
 * Dials a TLS socket, the only kind that can read into our memory: node:tls ignores `onread` if it is given
 * an open connection. Its handshake begins once it is connected. Dials TCP if this Node does not expose the
 * wire counters.
 */
function dialTls(endpoint: NetConnectOpts, onread: OnReadOpts, handshake: Handshake): Socket {
  const socket = connectTlsAsEngine({ ...handshakeOptions(handshake), ...endpoint, onread });
  // Node 22 does not support the option `noDelay` here.
  socket.setNoDelay(true);
  if (countersBelow(socket) !== null) return socket;
  socket.destroy();
  return connectAsEngine(endpoint);
}
