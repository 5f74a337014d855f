import type { TrafficStage, UnmeasuredTraffic } from "@bearhug/metrics/unmeasured-log";
import type { Thrown } from "@bearhug/plan/protocol/messages";
import type { Accounting, GeneratorResult } from "@bearhug/sdk";

import { accountIterations } from "./account.ts";
import type { RunLimit } from "./run-limits.ts";

/** The state of a run, apart from its samples. Its verdict and result need only samples and state. */
export interface RunState {
  /** Start of the measured load; null while there is none. */
  readonly startedAt: string | null;
  /** The time between the common start and the beginning of the load; 0 for a start in time. */
  readonly lateMs: number;
  /** The duration of the measured load. */
  readonly durationMs: number;
  /** The time from the start of the measured load until no more iterations were started; 0 before that. */
  readonly startsUntilMs: number;
  readonly accounting: Accounting;
  /**
   * The iterations that each scenario has begun, warm-up included, in the order of the plan; absent without a load,
   * and in earlier recordings.
   */
  readonly begun?: readonly number[];
  /** Resources that the process used; null until the load has ended. */
  readonly process: GeneratorResult["process"];
  readonly workers: readonly WorkerState[];
  /** A sentence for each shard that is missing, lost, or from another run. Only in merged runs. */
  readonly gaps?: readonly string[];
  /** The same for gaps that the shards themselves allowed. */
  readonly acceptedGaps?: readonly string[];
  readonly failures: readonly StageFailure[];
  /** Traffic of the module, setup and teardown that bypassed the engine. */
  readonly unmeasured: readonly UnmeasuredTraffic[];
  /** The reason given to `abort`; null if it was not called. */
  readonly abortReason: string | null;
  /**
   * The limit that ended the load early; null for none. This is not a failure, but the load was shorter than
   * planned.
   */
  readonly endedBy: RunLimit | null;
  /** The threshold that ended the load by its `abortOnFail`, such as `http_req_failed: rate<1%`; null for none. */
  readonly abortedBy: string | null;
  /** The signal that ended the load, or arrived before it; null for none. */
  readonly interruptedBy: string | null;
  /** True if a load has ended and all of its samples have arrived: only teardown follows. */
  readonly isLoadOver: boolean;
  readonly teardownSignal: TeardownSignal | null;
}

export interface WorkerState {
  readonly id: number;
  /** The reason why the worker was lost; null if it was not. */
  readonly lost: string | null;
  readonly isRunning: boolean;
}

/** A failure of the test's code outside its scenarios: the verdict is errored, exit code 107. */
export interface StageFailure {
  readonly stage: Exclude<TrafficStage, "load">;
  readonly thrown: Thrown;
}

/** A signal that arrived during teardown. */
export interface TeardownSignal {
  readonly signal: string;
  /** True if it was the run's second signal, so that teardown did not finish. */
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
  abortedBy: null,
  interruptedBy: null,
  isLoadOver: false,
  teardownSignal: null,
};
