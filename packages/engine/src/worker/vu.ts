import { AsyncLocalStorage } from "node:async_hooks";

import type { Client, ExpiredGrace, OpenClient, Place, VirtualUser } from "@bearhug/plan/clients/client";
import type { Clock } from "@bearhug/plan/pacing/clock";
import { StopSignal } from "@bearhug/sdk";

import { BackOff } from "./back-off.ts";
import { current, type Current } from "./current.ts";
import { openSpan, VuTime, type LoadSpan } from "./vu-time.ts";
import { WatchedCalls, type WatchedCall } from "./watched-calls.ts";

/** The page or group around the running code, also inside a test's own functions and parallel branches. */
const currentPlace = new AsyncLocalStorage<Place>();
const nothingUnawaited: readonly WatchedCall[] = [];
/** Most tests have no pages or groups: their requests and checks need no lookup. */
let hasPlaces = false;

/** An iteration, which is notified of the hard stop. */
export interface Stoppable extends Current {
  onStop(): void;
}

export interface VuOptions {
  /** Its number in its scenario, from 0. */
  readonly index: number;
  readonly span: LoadSpan;
}

/** A virtual user: its clients, its state between iterations, and its stop. */
export class Vu implements VirtualUser {
  readonly id: number;
  /** Its number in its scenario, from 0. */
  readonly index: number;
  readonly clients: readonly Client[];
  readonly backOff: BackOff;
  readonly time: VuTime;
  /** Iterations begun. */
  iterations = 0;
  /** The number of the running iteration in its scenario, from 0. */
  iterationNumber = 0;
  /** Its `iteration.index` in the test. */
  iterationIndex = 0;
  isStopped = false;
  isLeaving = false;
  isAbandoned = false;
  /** An operation of the running iteration had no response when the graceful stop ran out. */
  hasUnanswered = false;
  /** The place of the running iteration outside of pages and groups. */
  #root: Place;
  /** The lateness of the running iteration, until its first operation takes it. */
  #latenessMs: number | null = null;
  #running: Stoppable | null = null;
  /** Tags that the running iteration has set. Null without any: even an empty Map would have to be looked at. */
  #ownTags: Map<string, string> | null = null;
  readonly #clock: Clock;
  readonly #pauses = new Set<(signal: StopSignal) => void>();
  /** Calls of clients that have not ended. */
  #calls = 0;
  #onIdle: (() => void) | null = null;
  /** Pages and groups that have not ended. */
  #visits = 0;
  #watched: WatchedCalls | null = null;
  #states: VuStates | null = null;
  #aborter: AbortController | null = null;

  constructor(
    id: number,
    clock: Clock,
    root: Place,
    openClients: readonly OpenClient[],
    { index, span }: VuOptions = { index: 0, span: openSpan() },
  ) {
    this.id = id;
    this.index = index;
    this.#clock = clock;
    this.#root = root;
    this.time = new VuTime(span);
    this.backOff = new BackOff(clock, this.time);
    this.clients = openClients.map((open) => open(this));
  }

  startIteration(iteration: Stoppable, root: Place, startedMs: number, latenessMs: number | null): void {
    this.#running = iteration;
    this.#root = root;
    this.#latenessMs = latenessMs;
    this.isLeaving = false;
    this.#ownTags = null;
    this.backOff.startIteration(startedMs);
    for (const client of this.clients) client.startIteration?.();
  }

  endIteration(): void {
    this.#running = null;
    for (const client of this.clients) client.endIteration?.();
  }

  /** Returns the page or group around the running code; outside of these, that of the iteration. */
  place(): Place {
    const place = (hasPlaces ? currentPlace.getStore() : undefined) ?? this.#root;
    return this.#ownTags === null
      ? place
      : { ...place, scope: place.scope.with(Object.fromEntries(this.#ownTags)) };
  }

  /** Tags that the running iteration sets, on all that it records from then on. */
  get ownTags(): Map<string, string> {
    return (this.#ownTags ??= new Map());
  }

  /** Runs the body of a page or group. */
  runAt<R>(place: Place, body: () => R): R {
    hasPlaces = true;
    return currentPlace.run(place, body);
  }

  takeLateness(): number | null {
    const latenessMs = this.#latenessMs;
    this.#latenessMs = null;
    return latenessMs;
  }

  /** Aborts at the hard stop. Created on first access. */
  get signal(): AbortSignal {
    this.#aborter ??= new AbortController();
    if (this.isStopped) this.#aborter.abort(new StopSignal());
    return this.#aborter.signal;
  }

  /** Waits; rejects at the hard stop. */
  async pause(durationMs: number): Promise<void> {
    if (this.isStopped) await this.refuse();
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

  refuse(): Promise<never> {
    return new Promise((_resolve, reject) => {
      this.#clock.nextTurn(() => {
        if (!this.isAbandoned) reject(new StopSignal());
      });
    });
  }

  onConnected(): void {
    this.backOff.connected();
  }

  onConnectFailed(): void {
    this.backOff.failed();
  }

  onTimeLost(fromMs: number, untilMs: number): void {
    this.time.lose(fromMs, untilMs);
  }

  onCall(): void {
    this.#calls++;
  }

  onCallEnded(): void {
    this.#calls--;
    if (this.#calls === 0) this.#onIdle?.();
  }

  rejectInIteration(reject: () => void): void {
    if (this.isAbandoned) return;
    if (this.#running === null) reject();
    else current.run(this.#running, reject);
  }

  onVisit(): void {
    this.#visits++;
  }

  onVisitEnded(): void {
    this.#visits--;
    if (this.#visits === 0) this.#onIdle?.();
  }

  /** Calls that the test must await. Created on first access: many tests have none. */
  get watched(): WatchedCalls {
    return (this.#watched ??= new WatchedCalls());
  }

  /** The states that `vuState` made. */
  get states(): VuStates {
    return (this.#states ??= new VuStates());
  }

  /** Returns and forgets the calls that the test has not awaited. */
  takeUnawaited(): readonly WatchedCall[] {
    return this.#watched?.take() ?? nothingUnawaited;
  }

  /** True if no call of a client is open, nor a page or group. */
  get isIdle(): boolean {
    return this.#calls === 0 && this.#visits === 0;
  }

  /**
   * Called when the code of an iteration or a stage is over. Resolves when no page or operation is under way,
   * and code that waited for the last one has had a turn to start another.
   */
  async idle(): Promise<void> {
    // The code of a page or group still runs and may read responses: it must end before the clients stop
    // waiting.
    while (this.#visits > 0) await this.#change();
    this.isLeaving = true;
    for (const client of this.clients) client.leave?.();
    while (!this.isIdle) await this.#change();
  }

  /** Resolves a turn after the last call, page or group has ended. */
  async #change(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#onIdle = resolve;
    });
    this.#onIdle = null;
    await new Promise<void>((resolve) => {
      this.#clock.nextTurn(resolve);
    });
  }

  /** The first half of the hard stop: ends operations that wait for a connection. */
  stopWaiting(grace: ExpiredGrace | null): void {
    this.isStopped = true;
    for (const client of this.clients) if (client.stopWaiting?.(grace) === true) this.hasUnanswered = true;
  }

  /**
   * The hard stop: ends every wait of the VU and sends nothing more. `grace` is the time that ran out, null
   * for other causes.
   */
  stop(grace: ExpiredGrace | null = null): void {
    this.stopWaiting(grace);
    for (const client of this.clients) if (client.interrupt(grace)) this.hasUnanswered = true;
    // Aborted after the operations end: otherwise one that uses this signal would look cancelled by the test.
    this.#aborter?.abort(new StopSignal());
    for (const pause of this.#pauses) pause(new StopSignal());
    this.#pauses.clear();
    this.backOff.wake();
    this.#running?.onStop();
  }

  /**
   * Stops the VU for good, because nobody waits for its code any more: calls of its clients never settle. In a
   * thread with other code, their rejections would be unhandled and end the process.
   */
  abandon(): void {
    this.isAbandoned = true;
    this.retire();
  }

  /** Stops the VU for good and closes its connections, unless others share them. */
  retire(grace: ExpiredGrace | null = null): void {
    this.stop(grace);
    for (const client of this.clients) client.retire?.();
  }
}

/**
 * The states that `vuState` made for one virtual user: one for each variant, because variants do not share
 * cookies.
 */
class VuStates {
  readonly #made = new Map<number | null, unknown>();
  #variant: number | null = null;

  /**
   * Selects the variant of the iteration that begins; null without variants. Returns true if its state is
   * made.
   */
  turnTo(variant: number | null): boolean {
    this.#variant = variant;
    return this.#made.has(variant);
  }

  /** Keeps the state of the iteration that begins. */
  keep(state: unknown): void {
    this.#made.set(this.#variant, state);
  }

  /** The state of the running iteration's variant. */
  get state(): unknown {
    return this.#made.get(this.#variant);
  }
}
