import type { Client, ExpiredGrace, Place, VirtualUser } from "@bearhug/plan/clients/client";
import type { ValidatedHttp } from "@bearhug/plan/http-options/validated-http";
import type { Clock } from "@bearhug/plan/pacing/clock";
import type { Http } from "@bearhug/sdk";

import { DigestLogins } from "../authentication/digest.ts";
import { BodyShare } from "../exchange/kept-body.ts";
import type { Exchange, ExchangeDependencies } from "../exchange/exchange.ts";
import type { HttpEnvironment } from "../http-environment.ts";
import type { ConnectionPool } from "../pool/connection-pool.ts";
import type { Network } from "../pool/network.ts";
import { BrowserCache, type CachedBodies } from "./browser-cache.ts";
import { Cookies } from "./cookies.ts";

/** The environments of the load, its warm-up, and the creation of VU states. */
export interface HttpEnvironments {
  readonly measured: HttpEnvironment;
  readonly warmup: HttpEnvironment;
  readonly vuState: HttpEnvironment;
}

/** The parts that the virtual users of one scenario share. */
export interface SharedHttp {
  readonly plain: HttpEnvironments;
  /** Empty without variants. */
  readonly variants: readonly HttpEnvironments[];
  /** Creates `http` as the scenario's code sees it. */
  readonly contextOf: (session: Session) => Http;
  /** Warns, once, that cookies of `vuState` reach no iteration. */
  readonly warnOfLostCookies: () => void;
}

/** The HTTP client of one virtual user: its connections, cookies, cache, logins and requests in flight. */
export class Session implements Client {
  readonly vu: VirtualUser;
  readonly pool: ConnectionPool;
  visitor: Visitor;
  /** The memory of the response bodies that it keeps. */
  readonly bodies: BodyShare;
  readonly logins: DigestLogins = new DigestLogins();
  /** Dependencies that its requests share. */
  readonly dependencies: ExchangeDependencies;
  /** Requests in flight, which the hard stop interrupts. */
  readonly inFlight: InFlight = new InFlight();
  readonly #shared: SharedHttp;
  readonly #network: Network;
  /** By variant: each has its own cookies and cached responses. */
  readonly #visitors: Visitor[] = [];

  constructor(vu: VirtualUser, shared: SharedHttp, network: Network) {
    const { bodies, lastBodies, clock, deadlines, mask } = shared.plain.measured;
    this.vu = vu;
    this.#shared = shared;
    this.#network = network;
    this.pool = network.pool();
    this.bodies = new BodyShare(bodies, lastBodies);
    this.dependencies = { clock, deadlines, mask, pool: this.pool, owner: this, bodies: this.bodies };
    this.visitor = new Visitor(shared.plain.measured);
  }

  /** Returns the environment that counts and records requests from a place in a scenario. */
  environmentAt({ isWarmup, isVuState, turn }: Place): HttpEnvironment {
    const { plain, variants } = this.#shared;
    const { measured, warmup, vuState } = (turn === null ? undefined : variants[turn.variant]) ?? plain;
    if (isVuState === true) return vuState;
    return isWarmup ? warmup : measured;
  }

  context(): Http {
    return this.#shared.contextOf(this);
  }

  stateMade(): void {
    if (this.visitor.losesCookies) this.#shared.warnOfLostCookies();
  }

  startIteration(): void {
    if (this.#shared.variants.length > 0) this.#takeTurn();
    this.visitor.startIteration();
  }

  #takeTurn(): void {
    const { turn } = this.vu.place();
    const environments = turn === null ? undefined : this.#shared.variants[turn.variant];
    if (turn === null || environments === undefined) return;
    this.visitor = this.#visitors[turn.variant] ??= new Visitor(environments.measured);
  }

  endIteration(): void {
    this.bodies.release();
  }

  leave(): void {
    for (const exchange of [...this.inFlight]) exchange.leaveUnread();
  }

  stopWaiting(grace: ExpiredGrace | null): boolean {
    return stopAll(
      [...this.inFlight].filter(({ isWaiting }) => isWaiting),
      grace,
    );
  }

  interrupt(grace: ExpiredGrace | null): boolean {
    return stopAll([...this.inFlight], grace);
  }

  closeIdle(): void {
    this.pool.closeIdle();
    this.#shared.plain.measured.deadlines.stopIfEmpty();
  }

  retire(): void {
    this.bodies.release();
    if (!this.#network.isShared) this.pool.close();
  }
}

/** Finds the HTTP session among a virtual user's clients; null if there is none. */
export function findHttpSession(clients: readonly Client[]): Session | null {
  return clients.find((client) => client instanceof Session) ?? null;
}

function stopAll(exchanges: readonly Exchange[], grace: ExpiredGrace | null): boolean {
  let isUnanswered = false;
  for (const exchange of exchanges) {
    exchange.stop(grace);
    isUnanswered ||= exchange.wasStopped && !exchange.wasInterrupted;
  }
  return isUnanswered;
}

/** The browser state of a virtual user: its cookies and cache. */
class Visitor {
  /** Null if cookies are off. */
  readonly cookies: Cookies | null;
  /** Null without a cache. */
  readonly cache: BrowserCache | null;
  readonly #isNewEachIteration: boolean;

  constructor({
    options: { cookies, cache },
    clock,
    cachedBodies,
  }: {
    readonly options: ValidatedHttp;
    readonly clock: Clock;
    readonly cachedBodies: CachedBodies;
  }) {
    this.cookies = cookies === "off" ? null : new Cookies(clock);
    this.cache = cache === "browser" ? new BrowserCache(cachedBodies) : null;
    this.#isNewEachIteration = cookies === "iteration";
  }

  /** True if it has cookies that the next iteration will not send, and that the test's code has not read. */
  get losesCookies(): boolean {
    if (!this.#isNewEachIteration || this.cookies === null) return false;
    return !this.cookies.isEmpty && !this.cookies.wasRead;
  }

  /** Clears cookies and cache, unless the options keep them: by default each iteration is a new visitor. */
  startIteration(): void {
    if (!this.#isNewEachIteration) return;
    this.cookies?.clear();
    this.cache?.clear();
  }
}

/**
 * A virtual user's requests in flight, in the order of their calls. Usually there is one, which needs no list
 * in memory of its own. A Set would shrink its table whenever the last entry is removed.
 */
class InFlight implements Iterable<Exchange> {
  /** Null if it has ended, also while later ones have not. */
  #first: Exchange | null = null;
  /** Those called while others were in flight; null if there are none. */
  #others: Exchange[] | null = null;

  get size(): number {
    return [...this].length;
  }

  add(exchange: Exchange): void {
    if (this.#others !== null) this.#others.push(exchange);
    else if (this.#first === null) this.#first = exchange;
    else this.#others = [exchange];
  }

  delete(exchange: Exchange): void {
    if (this.#first === exchange) {
      this.#first = null;
      return;
    }
    const others = this.#others;
    if (others === null) return;
    const index = others.lastIndexOf(exchange);
    if (index >= 0) others.splice(index, 1);
    if (others.length === 0) this.#others = null;
  }

  *[Symbol.iterator](): Iterator<Exchange> {
    if (this.#first !== null) yield this.#first;
    if (this.#others !== null) yield* this.#others;
  }
}
