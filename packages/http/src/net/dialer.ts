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

/** The parts of a worker that opening a connection uses. */
export interface DialDependencies {
  readonly clock: Clock;
  readonly random: RandomSource;
  /** Called when a TCP connection opens, including one to a proxy; `onClose` when it closes. */
  readonly onOpen: () => void;
  readonly onClose: () => void;
}

/** Opens a worker's connections with the same settings, which share look-ups, turns and TLS contexts. */
export class Dialer implements DialRules {
  readonly settings: DialSettings;
  readonly clock: Clock;
  readonly onOpen: () => void;
  readonly onClose: () => void;
  readonly addresses: AddressBook;
  readonly from: LocalAddresses;
  readonly #proxy: Proxy | null;
  readonly #bypassesProxy: (origin: Origin) => boolean;
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
    this.#bypassesProxy = hostsWithoutProxy(settings.noProxy);
  }

  get context(): SecureContext {
    return (this.#context ??= createTlsContext(this.settings.tls));
  }

  get proxyContext(): SecureContext {
    return (this.#proxyContext ??= createProxyTlsContext(this.settings.tls));
  }

  /** Creates the TLS context that all handshakes share, so that the first one need not wait for it. */
  prepareTls(): void {
    this.#context ??= createTlsContext(this.settings.tls);
  }

  proxyFor(origin: Origin): Proxy | null {
    return this.#proxy === null || this.#bypassesProxy(origin) ? null : this.#proxy;
  }

  /**
   * Resolves the host, connects, requests a tunnel and does the TLS handshake, and measures each part. `done`
   * is called later, once, unless the opening is cancelled. Its socket is a `TLSSocket` for a secure origin.
   */
  open(origin: Origin, options: OpeningOptions, done: OnOpened<Socket>): OpeningConnection {
    return new Opening(this, origin, options, done);
  }

  /**
   * Returns the credentials for a proxy that forwards requests to the origin without a tunnel, with the full
   * address in each request; null if there is no such proxy.
   */
  forwarding(origin: Origin): { readonly authorization: string | null } | null {
    const proxy = this.proxyFor(origin);
    return proxy === null || this.needsTunnel(origin, proxy) ? null : proxy;
  }

  needsTunnel({ isSecure }: Origin, { kind }: Proxy): boolean {
    return isSecure || this.settings.needsTunnel || kind === "socks5" || kind === "socks5h";
  }
}
