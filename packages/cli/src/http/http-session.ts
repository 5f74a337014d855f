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

/** The parts that the virtual users of one scenario share. */
export interface SharedHttp {
  readonly measured: HttpEnvironment;
  readonly warmup: HttpEnvironment;
  readonly makeFetchClient: MakeFetchClient;
}

/** HTTP as one virtual user speaks it. */
export class HttpSession implements Session, Client {
  readonly vu: VirtualUser;
  readonly pool: ConnectionPool;
  readonly visitor: Visitor;
  readonly bodies: BodyShare;
  readonly inFlight: InFlight = new InFlight();
  readonly #shared: SharedHttp;
  readonly #network: Network;

  constructor(vu: VirtualUser, shared: SharedHttp, network: Network) {
    const { options, clock, bodies, lastBodies, cachedBodies } = shared.measured;
    this.vu = vu;
    this.#shared = shared;
    this.#network = network;
    this.pool = network.pool();
    this.bodies = new BodyShare(bodies, lastBodies);
    this.visitor = new Visitor(options, clock, cachedBodies);
  }

  environmentAt({ isWarmup }: Place): HttpEnvironment {
    return isWarmup ? this.#shared.warmup : this.#shared.measured;
  }

  context(): Http {
    return new HttpOfVu(this, this.#shared.makeFetchClient);
  }

  startIteration(): void {
    this.visitor.startIteration();
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

function stopAll(exchanges: readonly Exchange[], grace: GraceOver | null): boolean {
  let isUnanswered = false;
  for (const exchange of exchanges) {
    exchange.stop(grace);
    isUnanswered ||= exchange.wasStopped && !exchange.wasInterrupted;
  }
  return isUnanswered;
}
