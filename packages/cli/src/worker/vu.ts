import { StopSignal } from "@bearhug/sdk";

import type { ConnectionPool } from "../http/pool/connection-pool.ts";
import type { Network } from "../http/pool/network.ts";
import { BodyShare } from "../http/exchange/body-budget.ts";
import type { Exchange } from "../http/exchange/exchange.ts";
import type { GraceOver } from "../http/failures/request-stopped.ts";
import type { Session, SessionPlace } from "../http/session/session.ts";
import { Visitor } from "../http/session/visitor.ts";
import type { Clock } from "../pacing/clock.ts";
import { BackOff } from "./back-off.ts";
import { places } from "./place.ts";

/** What goes on in a virtual user, as far as stopping it goes. */
export interface Stoppable {
  onStop(): void;
}

/** A virtual user: what it keeps between requests and iterations, and how it is stopped. */
export class Vu implements Session {
  readonly id: number;
  /** Its number in its scenario, from 0. */
  readonly index: number;
  readonly pool: ConnectionPool;
  readonly visitor: Visitor;
  readonly backOff: BackOff;
  /** Bodies of the running iteration. */
  readonly bodies: BodyShare;
  readonly inFlight: Set<Exchange> = new Set();
  /** Tags that the running iteration has put on itself. */
  readonly ownTags: Map<string, string> = new Map();
  /** Iterations begun. */
  iterations = 0;
  /** The number of the running iteration in its scenario, from 0. */
  iterationNumber = 0;
  /** How late the running iteration started, until its first request is told. */
  latenessMs: number | null = null;
  isStopped = false;
  isLeaving = false;
  /** A request of the running iteration had no answer when the graceful stop ran out. */
  hasUnanswered = false;
  /** What is told of the hard stop. */
  running: Stoppable | null = null;
  /** Where the running iteration is, outside of pages and groups. */
  root: SessionPlace;
  readonly #clock: Clock;
  readonly #network: Network;
  readonly #pauses = new Set<(signal: StopSignal) => void>();
  /** Calls of `http` that have not ended. */
  #calls = 0;
  #onIdle: (() => void) | null = null;
  #aborter: AbortController | null = null;

  constructor(id: number, clock: Clock, root: SessionPlace, network: Network, index = 0) {
    this.id = id;
    this.index = index;
    this.#clock = clock;
    this.root = root;
    this.#network = network;
    this.pool = network.pool();
    this.backOff = new BackOff(clock);
    this.bodies = new BodyShare(root.environment.bodies);
    this.visitor = new Visitor(root.environment.options, clock, root.environment.cachedBodies);
  }

  place(): SessionPlace {
    const place = places.getStore() ?? this.root;
    return this.ownTags.size === 0
      ? place
      : { ...place, scope: place.scope.with(Object.fromEntries(this.ownTags)) };
  }

  takeLateness(): number | null {
    const { latenessMs } = this;
    this.latenessMs = null;
    return latenessMs;
  }

  /** Aborts at the hard stop; made when a test first asks for it. */
  get signal(): AbortSignal {
    this.#aborter ??= new AbortController();
    if (this.isStopped) this.#aborter.abort(new StopSignal());
    return this.#aborter.signal;
  }

  /** A wait that the hard stop ends. */
  async pause(durationMs: number): Promise<void> {
    if (this.isStopped) throw new StopSignal();
    await new Promise<void>((resolve, reject) => {
      const cancel = this.#clock.at(this.#clock.now() + durationMs, () => {
        this.#pauses.delete(stop);
        resolve();
      });
      const stop = (signal: StopSignal): void => {
        cancel();
        reject(signal);
      };
      this.#pauses.add(stop);
    });
  }

  onConnected(): void {
    this.backOff.connected();
  }

  onConnectFailed(): void {
    this.backOff.failed();
  }

  onCall(): void {
    this.#calls++;
  }

  onCallEnded(): void {
    this.#calls--;
    if (this.#calls === 0) this.#onIdle?.();
  }

  /** No call of `http` is open. */
  get isIdle(): boolean {
    return this.#calls === 0;
  }

  /**
   * The code of an iteration or a stage is over. Resolves when no request is on its way, nor about to be sent by what waited
   * for the last one.
   */
  async idle(): Promise<void> {
    this.isLeaving = true;
    for (const exchange of [...this.inFlight]) exchange.leaveUnread();
    while (this.#calls > 0) {
      await new Promise<void>((resolve) => {
        this.#onIdle = resolve;
      });
      this.#onIdle = null;
      await new Promise<void>((resolve) => {
        this.#clock.nextTurn(resolve);
      });
    }
  }

  /**
   * The first half of the hard stop: requests that wait for a connection end. All VUs of a shared pool do this before any
   * of them frees a connection, or a request would be sent on it only to be stopped.
   */
  stopWaiting(grace: GraceOver | null): void {
    this.isStopped = true;
    for (const exchange of [...this.inFlight]) if (exchange.isWaiting) this.#stopExchange(exchange, grace);
  }

  /** The hard stop: whatever the VU waits for ends, and nothing more is sent. `grace` ran out by itself, if not null. */
  stop(grace: GraceOver | null = null): void {
    this.stopWaiting(grace);
    for (const exchange of [...this.inFlight]) this.#stopExchange(exchange, grace);
    // After the requests: one that was given this very signal has not been given up by the test.
    this.#aborter?.abort(new StopSignal());
    for (const pause of this.#pauses) pause(new StopSignal());
    this.#pauses.clear();
    this.backOff.wake();
    this.running?.onStop();
  }

  #stopExchange(exchange: Exchange, grace: GraceOver | null): void {
    exchange.stop(grace);
    if (exchange.wasStopped && !exchange.wasInterrupted) this.hasUnanswered = true;
  }

  /** Stopped for good: what it has open is closed, unless others share it. */
  retire(grace: GraceOver | null = null): void {
    this.stop(grace);
    this.bodies.release();
    if (!this.#network.isShared) this.pool.close();
  }
}
