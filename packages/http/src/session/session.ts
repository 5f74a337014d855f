import type { Client, GraceOver, Place, VirtualUser } from "@bearhug/plan/clients/client";
import type { Clock } from "@bearhug/plan/pacing/clock";
import type { Http } from "@bearhug/sdk";
import type { ValidatedHttp } from "@bearhug/sdk/internal";

import { DigestLogins } from "../authentication/digest.ts";
import { BodyShare } from "../exchange/kept-body.ts";
import type { Exchange, ExchangeDependencies } from "../exchange/exchange.ts";
import type { HttpEnvironment } from "../http-environment.ts";
import type { ConnectionPool } from "../pool/connection-pool.ts";
import type { Network } from "../pool/network.ts";
import { BrowserCache, type CachedBodies } from "./browser-cache.ts";
import { Cookies } from "./cookies.ts";

/** The environments of the load, of its warm-up, and of what makes the states of virtual users. */
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
  /** Makes `http` as the scenario's code sees it. */
  readonly contextOf: (session: Session) => Http;
}

/** HTTP as one virtual user speaks it: what it carries from request to request. */
export class Session implements Client {
  readonly vu: VirtualUser;
  readonly pool: ConnectionPool;
  visitor: Visitor;
  /** The bodies that it keeps. */
  readonly bodies: BodyShare;
  readonly logins: DigestLogins = new DigestLogins();
  /** The parts that its requests share: an engine has one clock. */
  readonly dependencies: ExchangeDependencies;
  /** Requests on their way, which the hard stop interrupts. */
  readonly inFlight: InFlight = new InFlight();
  readonly #shared: SharedHttp;
  readonly #network: Network;
  /** By variant: none of them sees the cookies and cached responses of another. */
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

  /** Counts and records requests from a place in a scenario. */
  environmentAt({ isWarmup, isVuState, turn }: Place): HttpEnvironment {
    const { plain, variants } = this.#shared;
    const { measured, warmup, vuState } = (turn === null ? undefined : variants[turn.variant]) ?? plain;
    if (isVuState === true) return vuState;
    return isWarmup ? warmup : measured;
  }

  context(): Http {
    return this.#shared.contextOf(this);
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

  stopWaiting(grace: GraceOver | null): boolean {
    return stopAll(
      [...this.inFlight].filter(({ isWaiting }) => isWaiting),
      grace,
    );
  }

  interrupt(grace: GraceOver | null): boolean {
    return stopAll([...this.inFlight], grace);
  }

  retire(): void {
    this.bodies.release();
    if (!this.#network.isShared) this.pool.close();
  }
}

/** The HTTP session among a virtual user's clients; null without one. */
export function sessionAmong(clients: readonly Client[]): Session | null {
  return clients.find((client) => client instanceof Session) ?? null;
}

function stopAll(exchanges: readonly Exchange[], grace: GraceOver | null): boolean {
  let isUnanswered = false;
  for (const exchange of exchanges) {
    exchange.stop(grace);
    isUnanswered ||= exchange.wasStopped && !exchange.wasInterrupted;
  }
  return isUnanswered;
}

/** A virtual user's memory of the sites that it visits, as a browser has it. */
class Visitor {
  /** Null where none are kept. */
  readonly cookies: Cookies | null;
  /** Null without one. */
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

  /** Unless the options say otherwise, each iteration is somebody who was never here before. */
  startIteration(): void {
    if (!this.#isNewEachIteration) return;
    this.cookies?.clear();
    this.cache?.clear();
  }
}

/**
 * A virtual user's requests on their way, in the order of their calls. Mostly there is one, or a few: an array costs less for
 * these than a Set, which shrinks its table whenever the last one is taken out.
 */
class InFlight implements Iterable<Exchange> {
  readonly #exchanges: Exchange[] = [];

  get size(): number {
    return this.#exchanges.length;
  }

  add(exchange: Exchange): void {
    this.#exchanges.push(exchange);
  }

  delete(exchange: Exchange): void {
    if (this.#exchanges[this.#exchanges.length - 1] === exchange) {
      this.#exchanges.pop();
      return;
    }
    const index = this.#exchanges.lastIndexOf(exchange);
    if (index >= 0) this.#exchanges.splice(index, 1);
  }

  [Symbol.iterator](): Iterator<Exchange> {
    return this.#exchanges[Symbol.iterator]();
  }
}
