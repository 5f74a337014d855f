import type { Http } from "@bearhug/sdk";

import type { Client, GraceOver, Place, VirtualUser } from "../clients/client.ts";
import { HttpOfVu, type MakeFetchClient } from "./client.ts";
import type { ConnectionPool } from "./pool/connection-pool.ts";
import type { Network } from "./pool/network.ts";
import { BodyShare } from "./exchange/body-share.ts";
import type { Exchange } from "./exchange/exchange.ts";
import type { HttpEnvironment } from "./http-environment.ts";
import { InFlight } from "./session/in-flight.ts";
import type { Session } from "./session/session.ts";
import { Visitor } from "./session/visitor.ts";

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
  readonly makeFetchClient: MakeFetchClient;
}

/** HTTP as one virtual user speaks it. */
export class HttpSession implements Session, Client {
  readonly vu: VirtualUser;
  readonly pool: ConnectionPool;
  visitor: Visitor;
  readonly bodies: BodyShare;
  readonly inFlight: InFlight = new InFlight();
  readonly #shared: SharedHttp;
  readonly #network: Network;
  /** By variant: none of them sees the cookies and cached responses of another. */
  readonly #visitors: Visitor[] = [];

  constructor(vu: VirtualUser, shared: SharedHttp, network: Network) {
    const { bodies, lastBodies } = shared.plain.measured;
    this.vu = vu;
    this.#shared = shared;
    this.#network = network;
    this.pool = network.pool();
    this.bodies = new BodyShare(bodies, lastBodies);
    this.visitor = visitorOf(shared.plain);
  }

  environmentAt({ isWarmup, isVuState, turn }: Place): HttpEnvironment {
    const { plain, variants } = this.#shared;
    const { measured, warmup, vuState } = (turn === null ? undefined : variants[turn.variant]) ?? plain;
    if (isVuState === true) return vuState;
    return isWarmup ? warmup : measured;
  }

  context(): Http {
    return new HttpOfVu(this, this.#shared.makeFetchClient);
  }

  startIteration(): void {
    if (this.#shared.variants.length > 0) this.#takeTurn();
    this.visitor.startIteration();
  }

  #takeTurn(): void {
    const { turn } = this.vu.place();
    const environments = turn === null ? undefined : this.#shared.variants[turn.variant];
    if (turn === null || environments === undefined) return;
    this.visitor = this.#visitors[turn.variant] ??= visitorOf(environments);
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

function visitorOf({ measured: { options, clock, cachedBodies } }: HttpEnvironments): Visitor {
  return new Visitor(options, clock, cachedBodies);
}

function stopAll(exchanges: readonly Exchange[], grace: GraceOver | null): boolean {
  let isUnanswered = false;
  for (const exchange of exchanges) {
    exchange.stop(grace);
    isUnanswered ||= exchange.wasStopped && !exchange.wasInterrupted;
  }
  return isUnanswered;
}
