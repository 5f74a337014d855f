import { isIP } from "node:net";

import type { ValidatedDns } from "@bearhug/plan/http-options/dns";
import { readDestination } from "@bearhug/plan/http-options/host-destinations";
import type { ValidatedHttp } from "@bearhug/plan/http-options/validated-http";
import type { Clock } from "@bearhug/plan/pacing/clock";
import type { RandomSource } from "@bearhug/plan/pacing/random-source";

import { inOrder, type HostAddress } from "./choose-address.ts";
import { withoutRootDot } from "./origin.ts";
import {
  NameLookUpError,
  serverLookUp,
  systemLookUp,
  type LookedUp,
  type LookUp,
  type Query,
} from "./look-up.ts";

/** A running look-up, and all callers that wait for its result. */
interface OpenQuery {
  readonly waiters: Set<LookedUp>;
  query: Query | null;
}

interface CachedAddresses {
  readonly untilMs: number;
  readonly addresses: readonly HostAddress[];
}

/** Names of this machine that name servers need not resolve (RFC 6761, section 6.3). */
const isLoopbackName = (host: string): boolean => host === "localhost" || host.endsWith(".localhost");
const loopback: readonly HostAddress[] = [
  { address: "127.0.0.1", family: 4 },
  { address: "::1", family: 6 },
];

/**
 * The addresses of hosts: given by the test, cached, or looked up. A worker's VUs share each look-up, because
 * a thousand VUs that look up one name at once would measure the resolver's queue.
 */
export class AddressBook {
  readonly #dns: ValidatedDns;
  readonly #clock: Clock;
  readonly #random: RandomSource;
  readonly #lookUp: LookUp;
  readonly #named: ReadonlyMap<string, readonly HostAddress[]>;
  readonly #cached = new Map<string, CachedAddresses>();
  readonly #open = new Map<string, OpenQuery>();
  readonly #turns = new Map<string, number>();

  constructor({ dns, hosts }: Pick<ValidatedHttp, "dns" | "hosts">, clock: Clock, random: RandomSource) {
    this.#dns = dns;
    this.#clock = clock;
    this.#random = random;
    this.#lookUp =
      dns.servers.length === 0 ? systemLookUp(dns.policy) : serverLookUp(dns.servers, dns.policy);
    this.#named = new Map(Object.entries(hosts).map(([host, addresses]) => [host, addresses.map(addressOf)]));
  }

  /** Returns the host's addresses in the order in which to try them; null if they must be looked up. */
  known(host: string, port: number): readonly HostAddress[] | null {
    const named = this.#namedFor(withoutRootDot(host), port);
    if (named !== undefined) return this.#choose(host, named);
    const family = isIP(host);
    if (family !== 0) return [{ address: host, family: family === 6 ? 6 : 4 }];
    if (this.#dns.servers.length > 0 && isLoopbackName(withoutRootDot(host)))
      return this.#choose(host, loopback);
    const cached = this.#cached.get(host);
    return cached === undefined || cached.untilMs <= this.#clock.now()
      ? null
      : this.#choose(host, cached.addresses);
  }

  #namedFor(host: string, port: number): readonly HostAddress[] | undefined {
    if (this.#named.size === 0) return undefined;
    return this.#named.get(`${host}:${port}`) ?? this.#named.get(host);
  }

  /** Looks up a host. `done` is called later, once, unless the returned function cancels the look-up. */
  find(host: string, done: LookedUp): () => void {
    const waiter: LookedUp = (error, addresses) =>
      done(error, error === null ? this.#choose(host, addresses) : []);
    const open = this.#open.get(host) ?? this.#startLookUp(host);
    open.waiters.add(waiter);
    return () => {
      open.waiters.delete(waiter);
      // A look-up that can't be cancelled is kept for the next caller: another would block one more thread.
      if (open.waiters.size > 0 || this.#open.get(host) !== open) return;
      const cancel = open.query?.cancel ?? null;
      if (cancel === null) return;
      this.#open.delete(host);
      cancel();
    };
  }

  #startLookUp(host: string): OpenQuery {
    const open: OpenQuery = { waiters: new Set(), query: null };
    this.#open.set(host, open);
    open.query = this.#lookUp(host, (error, addresses) => {
      this.#open.delete(host);
      const failure =
        error ?? (addresses.length === 0 ? new NameLookUpError(host, "the resolver", "ENODATA") : null);
      // Failures are not cached: the next connection looks the host up again.
      if (failure === null)
        this.#cached.set(host, { untilMs: this.#clock.now() + this.#dns.ttlMs, addresses });
      for (const waiter of open.waiters) waiter(failure, addresses);
    });
    return open;
  }

  #choose(host: string, addresses: readonly HostAddress[]): readonly HostAddress[] {
    const { policy, select } = this.#dns;
    if (select === "first") return inOrder(addresses, policy, 0);
    if (select === "random") return inOrder(addresses, policy, Math.floor(this.#random() * 2 ** 32));
    const turn = this.#turns.get(host) ?? 0;
    this.#turns.set(host, turn + 1);
    return inOrder(addresses, policy, turn);
  }
}

function addressOf(text: string): HostAddress {
  const { address, port } = readDestination(text);
  return { address, family: isIP(address) === 6 ? 6 : 4, ...(port === null ? {} : { port }) };
}
