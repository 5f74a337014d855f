import { isIP } from "node:net";

import type { Clock } from "@bearhug/plan/pacing/clock";
import type { RandomSource } from "@bearhug/plan/pacing/random-source";
import { readDestination, type ValidatedDns, type ValidatedHttp } from "@bearhug/sdk/internal";

import { inOrder, type HostAddress } from "./choose-address.ts";
import {
  NameLookUpError,
  serverLookUp,
  systemLookUp,
  type LookedUp,
  type LookUp,
  type Query,
} from "./look-up.ts";

/** A question to a resolver, and all that wait for its answer. */
interface OpenQuery {
  readonly askers: Set<LookedUp>;
  query: Query | null;
}

interface Answer {
  readonly untilMs: number;
  readonly addresses: readonly HostAddress[];
}

/** Names of this machine, which name servers need not know (RFC 6761, section 6.3). */
const isLoopbackName = (host: string): boolean => host === "localhost" || host.endsWith(".localhost");
const loopback: readonly HostAddress[] = [
  { address: "127.0.0.1", family: 4 },
  { address: "::1", family: 6 },
];

/**
 * Which addresses a host has: named by the test, remembered, or looked up. All of a worker look them up together, as
 * a thousand VUs that ask for one name at once would measure the resolver's queue.
 */
export class AddressBook {
  readonly #dns: ValidatedDns;
  readonly #clock: Clock;
  readonly #random: RandomSource;
  readonly #lookUp: LookUp;
  readonly #named: ReadonlyMap<string, readonly HostAddress[]>;
  readonly #answers = new Map<string, Answer>();
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

  /** The host's addresses in the order in which to try them, where nobody need be asked; else null. */
  known(host: string, port: number): readonly HostAddress[] | null {
    const named = this.#namedFor(withoutRootDot(host), port);
    if (named !== undefined) return this.#choose(host, named);
    const family = isIP(host);
    if (family !== 0) return [{ address: host, family: family === 6 ? 6 : 4 }];
    if (this.#dns.servers.length > 0 && isLoopbackName(withoutRootDot(host)))
      return this.#choose(host, loopback);
    const answer = this.#answers.get(host);
    return answer === undefined || answer.untilMs <= this.#clock.now()
      ? null
      : this.#choose(host, answer.addresses);
  }

  #namedFor(host: string, port: number): readonly HostAddress[] | undefined {
    if (this.#named.size === 0) return undefined;
    return this.#named.get(`${host}:${port}`) ?? this.#named.get(host);
  }

  /** Looks a host up; `done` is called later, once, unless the function that is returned gives the question up. */
  find(host: string, done: LookedUp): () => void {
    const asker: LookedUp = (error, addresses) =>
      done(error, error === null ? this.#choose(host, addresses) : []);
    const open = this.#open.get(host) ?? this.#ask(host);
    open.askers.add(asker);
    return () => {
      open.askers.delete(asker);
      // What can't be given up is left to whoever asks next: asked anew, it would fill the resolver's threads.
      if (open.askers.size > 0 || this.#open.get(host) !== open) return;
      const cancel = open.query?.cancel ?? null;
      if (cancel === null) return;
      this.#open.delete(host);
      cancel();
    };
  }

  #ask(host: string): OpenQuery {
    const open: OpenQuery = { askers: new Set(), query: null };
    this.#open.set(host, open);
    open.query = this.#lookUp(host, (error, addresses) => {
      this.#open.delete(host);
      const failure =
        error ?? (addresses.length === 0 ? new NameLookUpError(host, "the resolver", "ENODATA") : null);
      // A failure is told to whoever waits now; the next connection asks again.
      if (failure === null)
        this.#answers.set(host, { untilMs: this.#clock.now() + this.#dns.ttlMs, addresses });
      for (const asker of open.askers) asker(failure, addresses);
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

function withoutRootDot(host: string): string {
  return host.endsWith(".") ? host.slice(0, -1) : host;
}
