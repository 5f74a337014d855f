import type { Client, GraceOver, OpenClient, Place, VirtualUser } from "@bearhug/plan/clients/client";
import type { Clock } from "@bearhug/plan/pacing/clock";
import { StopSignal } from "@bearhug/sdk";

import { BackOff } from "./back-off.ts";
import { current, placeHere, type Current } from "./current.ts";
import { VuTime, type LoadSpan } from "./vu-time.ts";
import { WatchedCalls, type WatchedCall } from "./watched-calls.ts";

/** An iteration that is told of the hard stop. */
export interface Stoppable extends Current {
  onStop(): void;
}

export interface VuOptions {
  /** Its number in its scenario, from 0. */
  readonly index: number;
  readonly span: LoadSpan;
}

/** A virtual user: its clients, what it keeps between iterations, and how it is stopped. */
export class Vu implements VirtualUser {
  readonly id: number;
  /** Its number in its scenario, from 0. */
  readonly index: number;
  readonly clients: readonly Client[];
  readonly backOff: BackOff;
  readonly time: VuTime;
  /** Tags that the running iteration has put on itself. */
  readonly ownTags: Map<string, string> = new Map();
  /** Iterations begun. */
  iterations = 0;
  /** The number of the running iteration in its scenario, from 0. */
  iterationNumber = 0;
  isStopped = false;
  isLeaving = false;
  /** An operation of the running iteration had no answer when the graceful stop ran out. */
  hasUnanswered = false;
  /** The place of the running iteration outside of pages and groups. */
  #root: Place;
  /** The lateness of the running iteration, until its first operation takes it. */
  #latenessMs: number | null = null;
  #running: Stoppable | null = null;
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
    { index, span }: VuOptions = { index: 0, span: { endMs: Number.POSITIVE_INFINITY } },
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
    // An empty Map makes itself a new table, too, when it is cleared.
    if (this.ownTags.size > 0) this.ownTags.clear();
    this.backOff.startIteration(startedMs);
    for (const client of this.clients) client.startIteration?.();
  }

  endIteration(): void {
    this.#running = null;
    for (const client of this.clients) client.endIteration?.();
  }

  place(): Place {
    const place = placeHere() ?? this.#root;
    return this.ownTags.size === 0
      ? place
      : { ...place, scope: place.scope.with(Object.fromEntries(this.ownTags)) };
  }

  takeLateness(): number | null {
    const latenessMs = this.#latenessMs;
    this.#latenessMs = null;
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

  onLost(fromMs: number, untilMs: number): void {
    this.time.lose(fromMs, untilMs);
  }

  onCall(): void {
    this.#calls++;
  }

  onCallEnded(): void {
    this.#calls--;
    if (this.#calls === 0) this.#onIdle?.();
  }

  rejectHere(reject: () => void): void {
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

  /** Calls that the test must await. Made when it is first asked for: many tests have none. */
  get watched(): WatchedCalls {
    return (this.#watched ??= new WatchedCalls());
  }

  /** For tests that make them. */
  get states(): VuStates {
    return (this.#states ??= new VuStates());
  }

  /** Takes the calls that nobody has awaited. */
  takeUnawaited(): readonly WatchedCall[] {
    return this.#watched?.take() ?? [];
  }

  /** True if no call of a client is open, nor a page or group. */
  get isIdle(): boolean {
    return this.#calls === 0 && this.#visits === 0;
  }

  /**
   * The code of an iteration or a stage is over. Resolves when no page or operation is under way, nor about to be started by
   * what waited for the last one.
   */
  async idle(): Promise<void> {
    // Their code runs on and may read responses: it is not over before they are.
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

  /** The first half of the hard stop: what waits for a connection ends. */
  stopWaiting(grace: GraceOver | null): void {
    this.isStopped = true;
    for (const client of this.clients) if (client.stopWaiting?.(grace) === true) this.hasUnanswered = true;
  }

  /** The hard stop: whatever the VU waits for ends, and nothing more is sent. `grace` ran out by itself, if not null. */
  stop(grace: GraceOver | null = null): void {
    this.stopWaiting(grace);
    for (const client of this.clients) if (client.interrupt(grace)) this.hasUnanswered = true;
    // After the operations: one that was given this very signal has not been given up by the test.
    this.#aborter?.abort(new StopSignal());
    for (const pause of this.#pauses) pause(new StopSignal());
    this.#pauses.clear();
    this.backOff.wake();
    this.#running?.onStop();
  }

  /** Stopped for good: what it has open is closed, unless others share it. */
  retire(grace: GraceOver | null = null): void {
    this.stop(grace);
    for (const client of this.clients) client.retire?.();
  }
}

/** States that `vuState` made for one virtual user: one, or one for each variant, as none of them sees the cookies of another. */
class VuStates {
  readonly #made = new Map<number | null, unknown>();
  #variant: number | null = null;

  /** An iteration of this variant begins; null without variants. Returns true if its state is made. */
  turnTo(variant: number | null): boolean {
    this.#variant = variant;
    return this.#made.has(variant);
  }

  /** Keeps the state of the iteration that begins. */
  keep(state: unknown): void {
    this.#made.set(this.#variant, state);
  }

  /** The state in the running iteration. */
  get state(): unknown {
    return this.#made.get(this.#variant);
  }
}
