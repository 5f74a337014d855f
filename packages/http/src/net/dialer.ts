import type { Socket } from "node:net";
import type { SecureContext } from "node:tls";

import type { Clock } from "@bearhug/plan/pacing/clock";
import type { RandomSource } from "@bearhug/plan/pacing/random-source";

import { AddressBook } from "./address-book.ts";
import type { DialSettings } from "./dial-settings.ts";
import { LocalAddresses } from "./choose-address.ts";
import { Opening, type DialRules } from "./opening.ts";
import type { OpeningConnection, OpeningOptions, OnOpened } from "./opening-connection.ts";
import type { Origin } from "./origin.ts";
import { hostsWithoutProxy, readProxy, type Proxy } from "./proxy.ts";
import { createProxyTlsContext, createTlsContext } from "./tls-context.ts";

/** The worker's parts that opening a connection uses. */
export interface DialDependencies {
  readonly clock: Clock;
  readonly random: RandomSource;
  /** A TCP connection opened, and closed: a proxy's too. */
  readonly onOpen: () => void;
  readonly onClose: () => void;
}

/** Opens connections, for all of a worker that share settings: they share look-ups, turns and the context of TLS. */
export class Dialer implements DialRules {
  readonly settings: DialSettings;
  readonly clock: Clock;
  readonly onOpen: () => void;
  readonly onClose: () => void;
  readonly addresses: AddressBook;
  readonly from: LocalAddresses;
  readonly #proxy: Proxy | null;
  readonly #goesWithout: (origin: Origin) => boolean;
  #context: SecureContext | null = null;
  #proxyContext: SecureContext | null = null;

  constructor(settings: DialSettings, { clock, random, onOpen, onClose }: DialDependencies) {
    this.settings = settings;
    this.clock = clock;
    this.onOpen = onOpen;
    this.onClose = onClose;
    this.addresses = new AddressBook(settings, clock, random);
    this.from = new LocalAddresses(settings.localAddresses);
    this.#proxy = settings.proxy === null ? null : readProxy(settings.proxy);
    this.#goesWithout = hostsWithoutProxy(settings.noProxy);
  }

  get context(): SecureContext {
    return (this.#context ??= createTlsContext(this.settings.tls));
  }

  get proxyContext(): SecureContext {
    return (this.#proxyContext ??= createProxyTlsContext(this.settings.tls));
  }

  /** Loads node:tls, and makes what all handshakes have in common: the first one need not wait for it. */
  prepareTls(): void {
    this.#context ??= createTlsContext(this.settings.tls);
  }

  proxyFor(origin: Origin): Proxy | null {
    return this.#proxy === null || this.#goesWithout(origin) ? null : this.#proxy;
  }

  /**
   * Resolves, connects, asks for a tunnel and shakes hands, stamping each part. `done` is called once, and later,
   * unless the opening is cancelled; its socket is a `TLSSocket` for a secure origin, and has no listener that throws.
   */
  open(origin: Origin, options: OpeningOptions, done: OnOpened<Socket>): OpeningConnection {
    return new Opening(this, origin, options, done);
  }

  /**
   * The credentials for a proxy that forwards requests to the origin without a tunnel, with the full address in each
   * request; null if there is no such proxy.
   */
  forwarding(origin: Origin): { readonly authorization: string | null } | null {
    const proxy = this.proxyFor(origin);
    return proxy === null || this.needsTunnel(origin, proxy) ? null : proxy;
  }

  needsTunnel({ isSecure }: Origin, { kind }: Proxy): boolean {
    return isSecure || this.settings.needsTunnel || kind === "socks5" || kind === "socks5h";
  }
}
