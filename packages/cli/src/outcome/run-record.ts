import type { Accounting, GeneratorResult, TestResult } from "@bearhug/sdk";
import type {
  SourcePosition,
  ValidatedHttp,
  ValidatedScenario,
  ValidatedThreshold,
} from "@bearhug/sdk/internal";

import type { BundlePosition } from "../metrics/error-log.ts";
import type { UnmeasuredTraffic } from "../metrics/unmeasured-log.ts";
import type { WorkerSnapshot } from "../protocol/messages.ts";
import type { RunPlan } from "../protocol/plan.ts";
import type { Thrown } from "../protocol/thrown.ts";

/**
 * Keeps what a run learns where it outlives the process. What it is told holds no secrets.
 * It neither throws nor waits: a run that cannot be recorded is still a run.
 */
export interface RunRecorder {
  /** Once, when the run is decided. */
  begin(run: RecordedRun): void;
  /** About once a second from then on, and at the end. */
  add(moment: RecordedMoment): void;
}

/** A run before it began, as far as its result tells of it. */
export interface RecordedRun {
  readonly file: string | null;
  readonly beganAt: string;
  readonly isStrictGenerator: boolean;
  readonly plan: RecordedPlan;
  readonly thresholds: readonly RecordedThreshold[];
  readonly tool: TestResult["tool"];
  readonly environment: TestResult["environment"];
}

/** What a result tells of a plan. */
export interface RecordedPlan extends Pick<
  RunPlan,
  "testName" | "seed" | "baseUrl" | "allowHosts" | "metrics" | "workers" | "warmupMs" | "maxDataBytes"
> {
  readonly scenarios: readonly RecordedScenario[];
}

export interface RecordedScenario {
  readonly scenario: Pick<ValidatedScenario, "name" | "executor" | "expectsNoRequests"> & {
    readonly http: Pick<ValidatedHttp, "transport">;
  };
  readonly description: string;
}

export interface RecordedThreshold {
  readonly threshold: ValidatedThreshold;
  /** Where it is written; null where that is in no file. */
  readonly source: SourcePosition | null;
}

/** What was learnt since the moment before, and how things stood then. */
export interface RecordedMoment {
  readonly inputs: readonly CollectorInput[];
  /** Places in the bundle that are met for the first time. */
  readonly places: readonly RecordedPlace[];
  /** Of the load; null while it has not started. */
  readonly startedAt: string | null;
  readonly durationMs: number;
  /** Up to when iterations were started; 0 while they still are. */
  readonly startsUntilMs: number;
  readonly accounting: Accounting;
  /** What the process used; null until the load has ended. */
  readonly process: GeneratorResult["process"];
  readonly workers: readonly RecordedWorker[];
  readonly failures: readonly StageFailure[];
  /** Traffic of setup and teardown that went around the engine up to then. */
  readonly unmeasured: readonly UnmeasuredTraffic[];
  readonly abortReason: string | null;
  /** As much was received as the user allowed. */
  readonly hasReceivedEnough: boolean;
  /** The signal that ended the load; null for none. */
  readonly interruptedBy: string | null;
  /** Whether all samples are in: what follows is teardown. */
  readonly isLoadOver: boolean;
  readonly teardownSignal: TeardownSignal | null;
  /** Whether the run came to its end: nothing follows. */
  readonly isEnd: boolean;
}

/** A signal that came in teardown. */
export interface TeardownSignal {
  readonly signal: string;
  /** It came again, or was not the run's first: teardown did not get to its end. */
  readonly hasCutOff: boolean;
}

/** What the collector was given, in the order in which it came. */
export type CollectorInput =
  | { readonly kind: "snapshot"; readonly workerId: number; readonly snapshot: WorkerSnapshot }
  | { readonly kind: "gauges"; readonly second: number; readonly gauges: LoadGauges };

/** What there is of each at a moment, over all workers. */
export interface LoadGauges {
  /** Virtual users that run an iteration. */
  readonly vus: number;
  /** Virtual users that exist, idle ones too. */
  readonly vusMade: number;
  readonly connectionsOpen: number;
}

/** A place in the bundle, found in the test's source: the bundle is gone when the run has ended. */
export interface RecordedPlace {
  readonly position: BundlePosition;
  readonly source: SourcePosition;
  readonly frame: string | null;
}

export interface RecordedWorker {
  readonly id: number;
  /** Why it was lost; null where it was not. */
  readonly lost: string | null;
  readonly isRunning: boolean;
}

/** Code of the test's own, outside its scenarios, that failed: the run is errored, exit 107. */
export interface StageFailure {
  readonly stage: "module" | "setup" | "teardown";
  readonly thrown: Thrown;
}
