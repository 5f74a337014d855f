import type { TrafficStage, UnmeasuredTraffic } from "@bearhug/metrics/unmeasured-log";
import type { Thrown } from "@bearhug/plan/protocol/messages";
import type { Accounting, GeneratorResult } from "@bearhug/sdk";

import { accountIterations } from "./account.ts";
import type { RunLimit } from "./run-limits.ts";

/** The state of a run besides its samples. Samples and state are all that its verdict and its result need. */
export interface RunState {
  /** Start of the measured load; null while there is none. */
  readonly startedAt: string | null;
  /** How long after the common start the load began; 0 for a start in time. */
  readonly lateMs: number;
  /** How long the measured load lasted. */
  readonly durationMs: number;
  /** Up to when iterations were started, from the start of the measured load; 0 while they still are. */
  readonly startsUntilMs: number;
  readonly accounting: Accounting;
  /** Resources that the process used; null until the load has ended. */
  readonly process: GeneratorResult["process"];
  readonly workers: readonly WorkerState[];
  /** One sentence for each shard that is missing, lost, or of another run: of merged runs alone. */
  readonly gaps?: readonly string[];
  /** The same of gaps that the shards themselves allowed. */
  readonly acceptedGaps?: readonly string[];
  readonly failures: readonly StageFailure[];
  /** Traffic of setup and teardown that went around the engine. */
  readonly unmeasured: readonly UnmeasuredTraffic[];
  /** The reason given to `abort`; null where it was not called. */
  readonly abortReason: string | null;
  /** The limit that ended the load early; null for none. That is no fault, but the load was shorter than planned. */
  readonly endedBy: RunLimit | null;
  /** The signal that ended the load, or came before it; null for none. */
  readonly interruptedBy: string | null;
  /** True if there was a load and all its samples are in: what follows is teardown. */
  readonly isLoadOver: boolean;
  readonly teardownSignal: TeardownSignal | null;
}

export interface WorkerState {
  readonly id: number;
  /** The reason why it was lost; null for one that was not. */
  readonly lost: string | null;
  readonly isRunning: boolean;
}

/** Code of the test's own, outside its scenarios, that failed: the run is errored, exit 107. */
export interface StageFailure {
  readonly stage: Exclude<TrafficStage, "load">;
  readonly thrown: Thrown;
}

/** A signal that came in teardown. */
export interface TeardownSignal {
  readonly signal: string;
  /** It came again, or was not the run's first: teardown did not get to its end. */
  readonly hasCutOff: boolean;
}

/** The state of a run in which nothing has happened yet. */
export const initialState: RunState = {
  startedAt: null,
  lateMs: 0,
  durationMs: 0,
  startsUntilMs: 0,
  accounting: {
    iterations: accountIterations([]),
    requests: [],
    setup: { requests: [] },
    teardown: { requests: [] },
    warmup: null,
  },
  process: null,
  workers: [],
  failures: [],
  unmeasured: [],
  abortReason: null,
  endedBy: null,
  interruptedBy: null,
  isLoadOver: false,
  teardownSignal: null,
};
