import type { ErrorLog } from "@bearhug/metrics/error-log";
import type { ExemplarLog, WatchedVisit } from "@bearhug/metrics/exemplar-log";
import type { MetricRegistry } from "@bearhug/metrics/registry";
import type { Scope } from "@bearhug/metrics/scope";
import type { TargetLog } from "@bearhug/metrics/target-log";
import type { TurnTally } from "@bearhug/metrics/turn-tally";
import type { ValidatedScenario } from "@bearhug/sdk/internal";
import type { MaskedText } from "@bearhug/text/masked-text";
import type { Mask } from "@bearhug/text/secret-mask";

import type { DescribedClient } from "./client-kind.ts";
import type { SampleRecorder } from "./sample-recorder.ts";
import type { Tracer } from "./tracer.ts";
import type { Clock } from "../pacing/clock.ts";
import type { DefinitionSource } from "../protocol/definition-source.ts";
import type { RunPlan } from "../protocol/plan.ts";
import type { RequestRow, SharedAccounting } from "../protocol/shared-accounting.ts";

/** A scenario's time to end by itself, which ran out while nobody interrupted the run. */
export interface GraceOver {
  readonly option: "gracefulStop" | "gracefulRampDown";
  readonly graceMs: number;
}

/** A younger operation may still be answered, however short the graceful stop. */
const leastOverdueMs = 1000;

/** The age of an operation from which it would have been answered by now, if at all; in ms. */
export function overdueMs({ slowestAnswerMs }: Pick<RequestRow, "slowestAnswerMs">): number {
  return Math.max(leastOverdueMs, slowestAnswerMs);
}

/** Failures that come at once are counted as failures; only one that was waited for costs a VU time. */
const leastLostMs = 100;

/** True if an operation that failed after so long without an answer was waited for longer than answers take. */
export function isLongWait(ageMs: number, { slowestAnswerMs }: Pick<RequestRow, "slowestAnswerMs">): boolean {
  return ageMs > Math.max(leastLostMs, 2 * slowestAnswerMs);
}

/** True if an operation that the hard stop ends has failed, because it had no answer in all the grace. */
export function isOverdue(
  ageMs: number,
  { graceMs }: GraceOver,
  row: Pick<RequestRow, "slowestAnswerMs">,
): boolean {
  return ageMs > Math.max(graceMs, overdueMs(row));
}

/** One visit to a page or a group. */
export interface ScopeVisit {
  /** The page or group around this one. */
  readonly outer: ScopeVisit | null;
  /** The hard stop ended an operation in it that was never answered. */
  isCutOff: boolean;
}

/** One visit to a page. */
export interface PageVisit extends ScopeVisit {
  bytesReceived: number;
  /** Receives each exchange; null for a visit that cannot become an exemplar. */
  readonly watched: WatchedVisit | null;
}

/** A place in a scenario's code: samples of what is called there go to its scope. */
export interface Place {
  /** The tags in force. */
  readonly scope: Scope;
  /** The page around the place; it counts the bytes that are received for it. */
  readonly page: PageVisit | null;
  /** The innermost page or group around the place. */
  readonly visit: ScopeVisit | null;
  /** True in iterations of the warm-up: they are recorded apart. */
  readonly isWarmup: boolean;
  /** The state of the VU is made there, which is recorded apart; absent elsewhere. */
  readonly isVuState?: true;
  /** The turn that the iteration belongs to; null where no variants take turns. */
  readonly turn: PlaceTurn | null;
}

/** The turn of a variant. */
export interface PlaceTurn {
  /** Its number in the plan. */
  readonly variant: number;
  /** Null while the turns change over: nothing is compared. */
  readonly tally: TurnTally | null;
}

/** Marks every page and group around a place as cut off, because an operation in it was never answered. */
export function markCutOff({ visit }: Place): void {
  for (let around = visit; around !== null; around = around.outer) around.isCutOff = true;
}

/** A virtual user as its clients see it. */
export interface VirtualUser {
  readonly id: number;
  /** Its number in its scenario, from 0. */
  readonly index: number;
  /** After the hard stop nothing more is sent. */
  readonly isStopped: boolean;
  /** The iteration's own code is over: responses that only its code can read are not waited for. */
  readonly isLeaving: boolean;
  /** Returns the place in the scenario from which the test calls. */
  place(): Place;
  /** Returns the lateness of the iteration, to its first operation only; null in closed models. */
  takeLateness(): number | null;
  /** The test called a client: the iteration goes on until the call has ended. */
  onCall(): void;
  onCallEnded(): void;
  /**
   * Runs what rejects a promise of a call: if nobody awaits it, the running iteration fails. The call ends in the context of
   * the code that opened its connection, perhaps in an earlier iteration.
   */
  rejectHere(reject: () => void): void;
  /** An operation had a connection. */
  onConnected(): void;
  /** A connection for an operation did not open. */
  onConnectFailed(): void;
  /** An operation never got its answer: the time that the VU waited for it is lost. By the clock. */
  onLost(fromMs: number, untilMs: number): void;
}

/** One protocol as one virtual user speaks it: its connections, and what it has under way. */
export interface Client {
  /** The client's part of a test's context, such as `http`. Asked for once, when the VU begins its first iteration. */
  context(): unknown;
  /** The hard stop: ends all operations. Returns true if one of them was never answered. */
  interrupt(grace: GraceOver | null): boolean;
  startIteration?(): void;
  /** The iteration has ended: frees what was kept for its code. */
  endIteration?(): void;
  /** The iteration's code is over: stops waiting for what only that code could read. */
  leave?(): void;
  /**
   * The first half of the hard stop: ends operations that wait for a connection. All VUs of a shared pool do this before
   * any of them frees a connection, or an operation would start on it only to be stopped. `grace` is the time that ran out
   * by itself; null where something else stopped the run. Returns true if an operation that ended was never answered.
   */
  stopWaiting?(grace: GraceOver | null): boolean;
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
  /** Null where requests are not sampled. */
  readonly samples: SampleRecorder | null;
  /** Null unless somebody watches each step of the test. */
  readonly tracer: Tracer | null;
}

/** The parts of a thread's engine that clients use. */
export interface ClientDependencies {
  /** The client's own kind, as it is registered. */
  readonly kind: DescribedClient;
  readonly clock: Clock;
  readonly plan: RunPlan;
  /** That of the test's own file: relative paths start there. */
  readonly folder: string;
  /** Takes secrets out of all that the thread tells. */
  readonly mask: Mask;
  readonly load: Ledger;
  /** Null without a warm-up. */
  readonly warmup: Ledger | null;
  /** Null for a test without `vuState`. */
  readonly vuState: Ledger | null;
  /** When the load began to be measured, by the clock. */
  readonly startedAtMs: () => number;
  readonly warn: (text: MaskedText) => void;
}

/** Makes a virtual user's client. */
export type OpenClient = (vu: VirtualUser) => Client;

/** A scenario's options, among them those of its clients. */
export type ClientOptions = Pick<ValidatedScenario, "http">;

/** One kind of client in one thread: what its virtual users share. */
export interface ThreadClients {
  /** For the virtual users of a scenario. */
  withOptions(options: ClientOptions): OpenClient;
  /** The thread's work is done. */
  close?(): void;
}

/** Starts one kind of client in a thread. */
export type StartClients = (parts: ClientDependencies) => ThreadClients;

/** The module of a client kind exports its worker part as `client`. */
export interface ClientModule {
  /** Loads what a test and its plan need, before the load begins. */
  load(source: DefinitionSource, plan: RunPlan): Promise<StartClients>;
}

/** The module of a client whose VUs share nothing, and which has nothing to load. */
export function clientOfEachVu(open: (vu: VirtualUser, parts: ClientDependencies) => Client): ClientModule {
  return { load: () => Promise.resolve((parts) => ({ withOptions: () => (vu) => open(vu, parts) })) };
}
