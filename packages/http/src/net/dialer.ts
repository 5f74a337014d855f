import type { SecureContext } from "node:tls";

import type { Clock } from "@bearhug/plan/pacing/clock";
import type { RandomSource } from "@bearhug/plan/pacing/random-source";

import { AddressBook } from "./address-book.ts";
import type { DialSettings } from "./dial-settings.ts";
import { LocalAddresses } from "./choose-address.ts";
import type { Origin } from "./origin.ts";
import { hostsWithoutProxy, isSocks, readProxy, type Proxy } from "./proxy.ts";
import { createProxyTlsContext, createTlsContext } from "./tls-context.ts";

/** The parts of a worker that opening a connection uses. */
export interface DialDependencies {
  readonly clock: Clock;
  readonly random: RandomSource;
  /** Called when a TCP connection opens, including one to a proxy; `onClose` when it closes. */
  readonly onOpen: () => void;
  readonly onClose: () => void;
}

/** Look-ups, turns and TLS contexts, which a worker's connections with the same settings share. */
export class Dialer {
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

  /** The TLS context of all handshakes with origins. */
  get context(): SecureContext {
    return (this.#context ??= createTlsContext(this.settings.tls));
  }

  /** For TLS with a proxy. */
  get proxyContext(): SecureContext {
    return (this.#proxyContext ??= createProxyTlsContext(this.settings.tls));
  }

  /** Creates the TLS context that all handshakes share, so that the first one need not wait for it. */
  prepareTls(): void {
    this.#context ??= createTlsContext(this.settings.tls);
  }

  /** Returns null if the origin is reached without a proxy. */
  proxyFor(origin: Origin): Proxy | null {
    return this.#proxy === null || this.#bypassesProxy(origin) ? null : this.#proxy;
  }

  /**
   * Returns the credentials for a proxy that forwards requests to the origin without a tunnel, with the full
   * address in each request; null if there is no such proxy.
   */
  forwarding(origin: Origin): { readonly authorization: string | null } | null {
    const proxy = this.proxyFor(origin);
    return proxy === null || this.needsTunnel(origin, proxy) ? null : proxy;
  }

  needsTunnel({ isSecure }: Origin, proxy: Proxy): boolean {
    return isSecure || this.settings.needsTunnel || isSocks(proxy);
  }
}
