import type { Socket } from "node:net";
import type { SecureContext } from "node:tls";

import type { ValidatedHttp } from "@bearhug/sdk";

import type { Clock } from "../../pacing/clock.ts";
import type { RandomSource } from "../../pacing/random-source.ts";
import { TransportFailure } from "../exchange/transport-failure.ts";
import { AddressBook } from "./address-book.ts";
import type { HostAddress } from "./choose-address.ts";
import { addressUnavailable, dialTcp, type DialTarget } from "./dial-tcp.ts";
import { LocalAddresses } from "./local-addresses.ts";
import type { ConnectPhases, OpeningConnection, OpeningOptions, Outcome } from "./opening-connection.ts";
import type { Origin } from "./origin.ts";
import { openTunnel, readProxy, type Proxy } from "./proxy-tunnel.ts";
import { shakeHands } from "./shake-hands.ts";
import { createTlsContext } from "./tls-context.ts";

/** Of the options of `http`, those that say how connections are opened. */
export type DialSettings = Pick<
  ValidatedHttp,
  "protocol" | "tls" | "dns" | "hosts" | "proxy" | "unixSocket" | "localAddresses"
>;

/** What opening connections needs of its worker. */
export interface DialDependencies {
  readonly clock: Clock;
  readonly random: RandomSource;
  /** A TCP connection opened, and closed: a proxy's too. */
  readonly onOpen: () => void;
  readonly onClose: () => void;
}

/** Opens connections, for all of a worker that share settings: they share look-ups, turns and the context of TLS. */
export class Dialer {
  readonly settings: DialSettings;
  readonly dependencies: DialDependencies;
  readonly addresses: AddressBook;
  readonly from: LocalAddresses;
  readonly proxy: Proxy | null;
  #context: SecureContext | null = null;

  constructor(settings: DialSettings, dependencies: DialDependencies) {
    this.settings = settings;
    this.dependencies = dependencies;
    this.addresses = new AddressBook(settings, dependencies.clock, dependencies.random);
    this.from = new LocalAddresses(settings.localAddresses);
    this.proxy = settings.proxy === null ? null : readProxy(settings.proxy);
  }

  /** @throws what OpenSSL does not take, which `checkTls` says beforehand. */
  get context(): SecureContext {
    return (this.#context ??= createTlsContext(this.settings.tls));
  }

  /**
   * Resolves, connects, asks for a tunnel and shakes hands, stamping each part. `done` is called once, and later,
   * unless the opening is cancelled; its socket is a `TLSSocket` for a secure origin, and has no listener that throws.
   */
  open(origin: Origin, options: OpeningOptions, done: Outcome<Socket>): OpeningConnection {
    return new Opening(this, origin, options, done);
  }

  /** How a proxy forwards requests to an origin without a tunnel: they name the address in full, and who asks; else null. */
  forwarding(origin: Origin): { readonly authorization: string | null } | null {
    return this.needsTunnel(origin) ? null : this.proxy;
  }

  needsTunnel({ isSecure }: Origin): boolean {
    return isSecure || this.settings.protocol === "h2c";
  }
}

const nothing = (): void => undefined;

class Opening implements OpeningConnection {
  readonly phases: ConnectPhases = { lookingUp: 0, connecting: 0, tlsHandshaking: 0 };
  phase: keyof ConnectPhases = "lookingUp";
  raw: Socket | null = null;
  alpn: "h2" | "http/1.1" | null = null;
  waitsForProxy: string | null;
  readonly isShared: boolean;
  readonly #dialer: Dialer;
  readonly #origin: Origin;
  readonly #options: OpeningOptions;
  readonly #done: Outcome<Socket>;
  #isOver = false;
  /** When the phase began, by the clock. */
  #since: number;
  #stop: () => void = nothing;

  constructor(dialer: Dialer, origin: Origin, options: OpeningOptions, done: Outcome<Socket>) {
    this.#dialer = dialer;
    this.#origin = origin;
    this.#options = options;
    this.#done = done;
    const { proxy, settings } = dialer;
    this.#since = dialer.dependencies.clock.now();
    this.waitsForProxy = proxy?.address ?? null;
    this.isShared = options.reader !== null && !dialer.needsTunnel(origin);
    if (settings.protocol === "http2" && !origin.isSecure) process.nextTick(() => this.#refusePlain());
    else if (settings.unixSocket === null) this.#lookUp((proxy ?? origin).host);
    else this.#dial({ path: settings.unixSocket });
  }

  cancel(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#stop();
  }

  #refusePlain(): void {
    if (this.#isOver) return;
    const reason = `HTTP/2 was wanted, which is negotiated in TLS, but ${this.#origin.text} has none: say protocol "h2c" where the server speaks it without`;
    this.#finish(new TransportFailure({ kind: "notNegotiated", reason }), null);
  }

  #lookUp(host: string): void {
    const { addresses } = this.#dialer;
    const known = addresses.known(host);
    if (known !== null) {
      this.#dial(this.#target(known));
      return;
    }
    this.#stop = addresses.find(host, (error, found) => {
      this.#stamp("lookingUp");
      if (error === null) this.#dial(this.#target(found));
      else this.#fail(error);
    });
  }

  #target(addresses: readonly HostAddress[]): DialTarget {
    const { proxy, from } = this.#dialer;
    return { port: (proxy ?? this.#origin).port, addresses, from };
  }

  #dial(target: DialTarget): void {
    this.phase = "connecting";
    const { onOpen, onClose } = this.#dialer.dependencies;
    this.#stop = dialTcp(target, this.isShared ? this.#options.reader : null, (error, socket) => {
      if (error !== null) {
        this.#stamp("connecting");
        this.#fail(error);
        return;
      }
      this.raw = socket;
      onOpen();
      socket.once("close", onClose);
      this.#connected(socket);
    });
  }

  #connected(socket: Socket): void {
    const { proxy } = this.#dialer;
    const isTunnelled = proxy !== null && this.#dialer.needsTunnel(this.#origin);
    if (!isTunnelled) {
      this.#stamp("connecting");
      this.#reached(socket);
      return;
    }
    this.#stop = openTunnel(socket, this.#origin, proxy, (error) => {
      this.#stamp("connecting");
      if (error === null) this.#reached(socket);
      else this.#fail(error);
    });
  }

  #reached(socket: Socket): void {
    this.waitsForProxy = null;
    if (this.#origin.isSecure) this.#shakeHands(socket);
    else this.#finish(null, socket);
  }

  #shakeHands(raw: Socket): void {
    this.phase = "tlsHandshaking";
    const { settings } = this.#dialer;
    const sessions = settings.tls.resumeSessions ? this.#options.sessions : null;
    let context;
    try {
      ({ context } = this.#dialer);
    } catch (error) {
      raw.destroy();
      this.#finish(error instanceof Error ? error : new Error(String(error)), null);
      return;
    }
    this.#stop = shakeHands(raw, { origin: this.#origin, settings, context, sessions }, (error, socket) => {
      this.#stamp("tlsHandshaking");
      if (error !== null) {
        this.#finish(error, null);
        return;
      }
      const { alpnProtocol } = socket;
      this.alpn = alpnProtocol === "h2" || alpnProtocol === "http/1.1" ? alpnProtocol : null;
      this.#finish(null, socket);
    });
  }

  #stamp(phase: keyof ConnectPhases): void {
    const now = this.#dialer.dependencies.clock.now();
    this.phases[phase] = now - this.#since;
    this.#since = now;
  }

  #fail(error: Error): void {
    this.#finish(this.waitsForProxy === null ? error : blameProxy(error, this.waitsForProxy), null);
  }

  #finish(...result: Parameters<Outcome<Socket>>): void {
    this.#isOver = true;
    this.#stop = nothing;
    this.#done(...result);
  }
}

/** What this machine lacks is nobody else's fault. */
const ownCodes = new Set(["EADDRNOTAVAIL", "EMFILE", "ENFILE", "ENOBUFS", "ENOMEM", addressUnavailable]);

function blameProxy(error: Error, address: string): Error {
  if (error instanceof TransportFailure) return error;
  const cause = "code" in error && typeof error.code === "string" ? error.code : undefined;
  if (cause !== undefined && ownCodes.has(cause)) return error;
  return new TransportFailure({
    kind: "proxy",
    reason: `the proxy ${address}: ${error.message}`,
    ...(cause === undefined ? {} : { cause }),
  });
}
