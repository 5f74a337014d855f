import type { ErrorLog } from "@bearhug/metrics/error-log";
import type { ExemplarLog, WatchedVisit } from "@bearhug/metrics/exemplar-log";
import type { MetricRegistry } from "@bearhug/metrics/registry";
import type { Scope } from "@bearhug/metrics/scope";
import type { TargetLog } from "@bearhug/metrics/target-log";
import type { TurnTally } from "@bearhug/metrics/turn-tally";
import type { MaskedText } from "@bearhug/text/masked-text";
import type { Mask } from "@bearhug/text/secret-mask";

import type { ValidatedScenario } from "../executors/validated-scenario.ts";
import type { DescribedClient } from "./client-kind.ts";
import type { SampleRecorder } from "./sample-recorder.ts";
import type { Tracer } from "./tracer.ts";
import type { Clock } from "../pacing/clock.ts";
import type { DefinitionSource } from "../protocol/definition-source.ts";
import type { RunPlan } from "../protocol/plan.ts";
import type { RequestRow, SharedAccounting } from "../protocol/shared-accounting.ts";
import type { SharedConnections } from "../protocol/shared-connections.ts";

/** A grace period of a scenario that ran out, in a run that was not interrupted. */
export interface ExpiredGrace {
  readonly option: "gracefulStop" | "gracefulRampDown";
  readonly graceMs: number;
}

/** A younger operation may still be answered, however short the graceful stop was. */
const minOverdueMs = 1000;

/** Returns the age, in ms, from which an operation would have been answered by now, if at all. */
export function overdueMs({ longestWaitMs }: Pick<RequestRow, "longestWaitMs">): number {
  return Math.max(minOverdueMs, longestWaitMs);
}

/** Immediate failures cost a VU no time; only a failure that it waited for does. */
const minLostMs = 100;

/**
 * True if an operation that failed after `ageMs` without an answer kept its VU waiting much longer than
 * answers take.
 */
export function isLongWait(ageMs: number, { longestWaitMs }: Pick<RequestRow, "longestWaitMs">): boolean {
  return ageMs > Math.max(minLostMs, 2 * longestWaitMs);
}

/**
 * True if an operation that the hard stop ends counts as failed, because it got no answer within the whole
 * grace period.
 */
export function isOverdue(
  ageMs: number,
  { graceMs }: ExpiredGrace,
  row: Pick<RequestRow, "longestWaitMs">,
): boolean {
  return ageMs > Math.max(graceMs, overdueMs(row));
}

/** One visit to a page or a group. */
export interface ScopeVisit {
  /** The page or group around this one. */
  readonly outer: ScopeVisit | null;
  /** True if the hard stop ended an operation in it that was never answered. */
  isCutOff: boolean;
}

export interface PageVisit extends ScopeVisit {
  bytesReceived: number;
  /** Receives each exchange; null for a visit that cannot become an exemplar. */
  readonly watched: WatchedVisit | null;
}

/** A place in a scenario's code: samples of operations called there go to its scope. */
export interface Place {
  /** The tags in force. */
  readonly scope: Scope;
  /** The page around the place; it counts the bytes that are received for it. */
  readonly page: PageVisit | null;
  /** The innermost page or group around the place. */
  readonly visit: ScopeVisit | null;
  /** True in iterations of the warm-up, which are recorded separately. */
  readonly isWarmup: boolean;
  /** Set where the test makes the VU's state, which is recorded separately; absent elsewhere. */
  readonly isVuState?: true;
  /** The turn that the iteration belongs to; null if no variants take turns. */
  readonly turn: PlaceTurn | null;
}

/** The turn of a variant. */
export interface PlaceTurn {
  /** The variant's number in the plan. */
  readonly variant: number;
  /** Null during a changeover: nothing is compared. */
  readonly tally: TurnTally | null;
}

/** Marks every page and group around a place as cut off, because an operation in it was never answered. */
export function markCutOff({ visit }: Place): void {
  for (let around = visit; around !== null; around = around.outer) around.isCutOff = true;
}

/** A virtual user as its clients see it. */
export interface VirtualUser {
  readonly id: number;
  /** The virtual user's number in its scenario, from 0. */
  readonly index: number;
  /** True after the hard stop: nothing more may be sent. */
  readonly isStopped: boolean;
  /**
   * Rejects a call that the test makes after the hard stop, in a later turn of the event loop: code that
   * catches every error and tries again would otherwise block its thread. Never settles if nobody waits for
   * the VU's code any more.
   * @throws {StopSignal}
   */
  refuse(): Promise<never>;
  /**
   * True when the iteration's own code has ended: responses that only this code can read are not waited for.
   */
  readonly isLeaving: boolean;
  /** Returns the place in the scenario from which the test calls. */
  place(): Place;
  /** Returns the lateness of the iteration, to its first operation only; null in closed models. */
  takeLateness(): number | null;
  /** Called when the test calls a client: the iteration then lasts at least until the call has ended. */
  onCall(): void;
  onCallEnded(): void;
  /**
   * Runs `reject`, which rejects the promise of a call, in the context of the running iteration: if the
   * promise is not awaited, that iteration fails. The caller itself may run in the context of an earlier
   * iteration, whose code opened the connection.
   */
  rejectInIteration(reject: () => void): void;
  /** An operation got a connection. */
  onConnected(): void;
  /** No connection could be opened for an operation. */
  onConnectFailed(): void;
  /** An operation was never answered: the VU lost the time from `fromMs` to `untilMs`, by the clock. */
  onTimeLost(fromMs: number, untilMs: number): void;
}

/** One virtual user's client for one protocol: its connections and its running operations. */
export interface Client {
  /**
   * Returns the client's part of a test's context, such as `http`. Called once, when the VU begins its first
   * iteration.
   */
  context(): unknown;
  /** The hard stop: ends all operations. Returns true if one of them was never answered. */
  interrupt(grace: ExpiredGrace | null): boolean;
  /** `vuState` has made the VU's state. The VU's first iteration begins next. */
  stateMade?(): void;
  startIteration?(): void;
  /** The iteration has ended: releases everything that was kept for its code. */
  endIteration?(): void;
  /** The iteration's code has ended: stops waiting for responses that only that code could read. */
  leave?(): void;
  /**
   * The first half of the hard stop: ends operations that wait for a connection. All VUs of a shared pool do
   * this before any of them frees a connection; otherwise an operation would start on it only to be stopped.
   * `grace` is the time that ran out by itself; null if something else stopped the run. Returns true if an
   * operation that ended was never answered.
   */
  stopWaiting?(grace: ExpiredGrace | null): boolean;
  /** Closes connections and stops timers that are not in use. Later operations open new ones. */
  closeIdle?(): void;
  /** The VU is gone: closes its connections, unless others share them. */
  retire?(): void;
}

/** The counts, series, errors and exemplars of the load, or of its warm-up. */
export interface Ledger {
  readonly accounting: SharedAccounting;
  readonly registry: MetricRegistry;
  readonly errors: ErrorLog;
  readonly exemplars: ExemplarLog;
  readonly targets: TargetLog;
  /** Null if requests are not sampled. */
  readonly samples: SampleRecorder | null;
  /** Null unless each step of the test is traced. */
  readonly tracer: Tracer | null;
}

/** The parts of a thread's engine that clients use. */
export interface ClientDependencies {
  /** The client's own kind, as registered. */
  readonly kind: DescribedClient;
  readonly clock: Clock;
  readonly plan: RunPlan;
  /** The folder of the test's own file, to which paths are relative. */
  readonly folder: string;
  /** Masks secrets in everything that the thread reports. */
  readonly mask: Mask;
  readonly load: Ledger;
  /** Null without a warm-up. */
  readonly warmup: Ledger | null;
  /** Null for a test without `vuState`. */
  readonly vuState: Ledger | null;
  /** Returns when measuring began, by the clock. */
  readonly startedAtMs: () => number;
  /** The open connections of all workers; null outside of the load. */
  readonly connections: SharedConnections | null;
  /** Returns true if a short text is a value in the test's data: in a row of a feed, or what setup returned. */
  readonly isData: (text: string) => boolean;
  readonly warn: (text: MaskedText) => void;
}

/** Makes a virtual user's client. */
export type OpenClient = (vu: VirtualUser) => Client;

/** A scenario's options, among them those of its clients. */
export type ClientOptions = Pick<ValidatedScenario, "http">;

/** One kind of client in one thread: what its virtual users share. */
export interface ThreadClients {
  /** Returns what opens a client for each virtual user of a scenario with these options. */
  withOptions(options: ClientOptions): OpenClient;
  /** Called when the thread's work is done. */
  close?(): void;
}

/** Starts one kind of client in a thread. */
export type StartClients = (parts: ClientDependencies) => ThreadClients;

/** The module of a client kind exports its worker part as `client`. */
export interface ClientModule {
  /** Loads what a test and its plan need, before the load begins. */
  load(source: DefinitionSource, plan: RunPlan): Promise<StartClients>;
}

/** Returns the module of a client whose VUs share nothing and which has nothing to load. */
export function clientOfEachVu(open: (vu: VirtualUser, parts: ClientDependencies) => Client): ClientModule {
  return { load: () => Promise.resolve((parts) => ({ withOptions: () => (vu) => open(vu, parts) })) };
}
