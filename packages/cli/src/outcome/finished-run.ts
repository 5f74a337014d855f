import type {
  IterationAccounting,
  PhaseAccounting,
  ProcessResult,
  RequestAccounting,
  ValidatedThreshold,
  WarmupAccounting,
} from "@bearhug/sdk/internal";

import type { UnmeasuredTraffic } from "../metrics/unmeasured-log.ts";
import type { Clock } from "../pacing/clock.ts";
import type { RecordedPlan, StageFailure, TeardownSignal } from "./run-record.ts";
import { accountIterations } from "./account.ts";
import type { Locate, LocateThreshold } from "./assemble-result.ts";
import { Collector } from "./collect.ts";

/** What a result tells of a plan, and what is judged. */
export interface ReportedRun {
  readonly plan: RecordedPlan;
  readonly thresholds: readonly ValidatedThreshold[];
}

/** All that is known when a run has ended. */
export interface FinishedRun {
  /** Null where the test's module threw: nothing was planned. */
  readonly planned: ReportedRun | null;
  readonly collector: Collector;
  readonly workers: readonly WorkerEnding[];
  /** Null where no load was applied. */
  readonly process: ProcessResult | null;
  readonly iterations: IterationAccounting;
  readonly requests: readonly RequestAccounting[];
  readonly setup: PhaseAccounting;
  readonly teardown: PhaseAccounting;
  /** Null without a warm-up. */
  readonly warmup: WarmupAccounting | null;
  readonly startedAt: Date;
  readonly durationMs: number;
  /** Up to when iterations were started, from the start of the load; in what follows they only finish. */
  readonly startsUntilMs: number;
  readonly failures: readonly StageFailure[];
  /** Traffic of setup and teardown that went around the engine. */
  readonly unmeasured: readonly UnmeasuredTraffic[];
  readonly abortReason: string | null;
  /** The run was ended because as much was received as the plan allows. */
  readonly hasReceivedEnough: boolean;
  /** The signal that ended the load, or came before it; null for none. */
  readonly interruptedBy: string | null;
  /** Whether there was a load and all its samples are in. */
  readonly isLoadOver: boolean;
  readonly teardownSignal: TeardownSignal | null;
  /** Whether its process was killed: what came after the last record of it is not known. */
  readonly isTruncated: boolean;
  readonly file: string | null;
  readonly isStrictGenerator: boolean;
  readonly locate: Locate;
  readonly locateThreshold: LocateThreshold;
}

/** True if all the planned load was applied, or ended by the test's own rules, and all its samples are in. */
export function isWhole({ interruptedBy, isTruncated, isLoadOver }: FinishedRun): boolean {
  return interruptedBy === null && (!isTruncated || isLoadOver);
}

/** How a worker ended. */
export interface WorkerEnding {
  readonly id: number;
  /** Why it was lost; null where it was not. */
  readonly lost: string | null;
}

/** What is known of a run before it begins. */
export interface RunFacts {
  readonly clock: Clock;
  /** The signal that came first; null while there was none. */
  readonly interruptions: { readonly signal: string | null };
  readonly file: string | null;
  readonly isStrictGenerator: boolean;
  readonly locate: Locate;
  readonly locateThreshold: LocateThreshold;
}

/** What a run looks like in which no load was applied. */
export function emptyRun(facts: RunFacts, failures: readonly StageFailure[]): FinishedRun {
  return {
    planned: null,
    collector: new Collector(),
    workers: [],
    process: null,
    iterations: accountIterations([]),
    requests: [],
    setup: { requests: [] },
    teardown: { requests: [] },
    warmup: null,
    startedAt: facts.clock.date(),
    durationMs: 0,
    startsUntilMs: 0,
    failures,
    unmeasured: [],
    hasReceivedEnough: false,
    isTruncated: false,
    abortReason: null,
    interruptedBy: facts.interruptions.signal,
    isLoadOver: false,
    teardownSignal: null,
    file: facts.file,
    isStrictGenerator: facts.isStrictGenerator,
    locate: facts.locate,
    locateThreshold: facts.locateThreshold,
  };
}
