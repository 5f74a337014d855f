import type { CheckFault } from "@bearhug/metrics/check-faults";
import type { BundlePosition, ErrorRecord } from "@bearhug/metrics/error-log";
import type { SeriesDelta } from "@bearhug/metrics/snapshot";
import type { TargetDelta } from "@bearhug/metrics/target-log";
import type { UnmeasuredTraffic } from "@bearhug/metrics/unmeasured-log";
import type { TestResult } from "@bearhug/sdk";
import type { ExemplarsResult, PausesResult } from "@bearhug/sdk/result";
import { ownWords, type MaskedText } from "@bearhug/text/masked-text";

import type { ValidatedSummary } from "../definition/read-summary.ts";
import type { TestProblem } from "../definition/invalid-test.ts";
import type { ValidatedTest } from "../definition/validated-test.ts";
import type { ClientMetric } from "../clients/client-kind.ts";
import type { GivenVariables } from "../test-file/read-env.ts";
import type { DefinitionSource } from "./definition-source.ts";
import type { RunPlan } from "./plan.ts";
import type { UnhandledErrorCode } from "./read-thrown.ts";
import type { SampleKind, WorkerSampling } from "./shared-samples.ts";
import type { SharedFeeds } from "./shared-feeds.ts";
import type { TurnDelta } from "./variants.ts";

/** The input that a thread is started with. */
export type WorkerStart = LoadWorkerStart | DefinitionWorkerStart;

interface AnyWorkerStart {
  /** Set if a program runs around the worker, in its thread: code that no part of the test owns is the program's. */
  readonly isInProgram?: true;
}

export interface LoadWorkerStart extends AnyWorkerStart {
  readonly role: "load";
  readonly workerId: number;
  readonly source: DefinitionSource;
  readonly plan: RunPlan;
  /** The value that setup returned. */
  readonly data: unknown;
  readonly feeds: SharedFeeds;
  readonly accounting: SharedArrayBuffer;
  /** Null without a warm-up. */
  readonly warmupAccounting: SharedArrayBuffer | null;
  /** Null for a test without `vuState`. */
  readonly vuStateAccounting: SharedArrayBuffer | null;
  /** Null if requests are not sampled. */
  readonly sampling: WorkerSampling | null;
  readonly tickets: SharedArrayBuffer;
  /** The open connections of all workers. */
  readonly connections: SharedArrayBuffer;
  /** The values to mask from the start. */
  readonly secrets: readonly string[];
}

export interface DefinitionWorkerStart extends AnyWorkerStart {
  readonly role: "definition";
  readonly source: DefinitionSource;
  readonly setupAccounting: SharedArrayBuffer;
  readonly teardownAccounting: SharedArrayBuffer;
  /** The variables from which the test may compute its options. */
  readonly variables: GivenVariables;
  /** Metrics of clients, which thresholds of the test may refer to. */
  readonly clientMetrics: Readonly<Record<string, ClientMetric>>;
  /** Secrets that are known before the test has declared its own. */
  readonly secrets: readonly string[];
}

/** Begins the load. Times are by the clock that all threads share. */
export interface LoadStart {
  readonly type: "start";
  readonly atMs: number;
  /** When this machine begins: later than `atMs` only if it is late for a common start. */
  readonly beganMs: number;
}

/** Coordinator → load worker. */
export type ToLoadWorker = LoadStart | { readonly type: "stop"; readonly mode: StopMode };

/**
 * Graceful: start nothing more, let iterations end within their `gracefulStop`. Enough: the same, but because
 * of the run's own rules, so the run does not count as interrupted. Hard: interrupt iterations.
 */
export type StopMode = "graceful" | "enough" | "hard";

/**
 * Values that a worker saw under names that mark them as secret: sent before anything that may contain them.
 */
export interface SecretsSeen {
  readonly type: "secrets";
  readonly values: readonly string[];
}

/** Load worker → coordinator. */
export type FromLoadWorker =
  | SecretsSeen
  | { readonly type: "ready" }
  | { readonly type: "snapshot"; readonly snapshot: WorkerSnapshot }
  | { readonly type: "sampled"; readonly kind: SampleKind }
  | { readonly type: "log"; readonly line: LogLine }
  | { readonly type: "abort"; readonly reason: MaskedText; readonly position: BundlePosition | null }
  /** The oddities of successful requests of `vuState`. */
  | { readonly type: "oddities"; readonly oddities: readonly ErrorRecord[] }
  | { readonly type: "threw"; readonly thrown: Thrown }
  | { readonly type: "finished" };

/** Everything that a worker recorded in one second. */
export interface WorkerSnapshot {
  /** The second of the run, from 0, that the samples belong to. */
  readonly interval: number;
  readonly series: readonly SeriesDelta[];
  readonly errors: readonly ErrorRecord[];
  readonly checkFaults: readonly CheckFault[];
  /** Traffic that bypassed the engine since the last snapshot. */
  readonly unmeasured: readonly UnmeasuredTraffic[];
  readonly health: WorkerHealth;
  /** Examples of series and names beyond the limits. */
  readonly overflow: WorkerOverflow;
  /** By scenario and host; absent in recordings of earlier versions. */
  readonly targets?: readonly TargetDelta[];
  /** Absent without variants. */
  readonly turns?: readonly TurnDelta[];
  /** The exemplars that are new since the last snapshot; absent for none. */
  readonly exemplars?: ExemplarsResult;
}

/** Examples of names and tags beyond the limits of the worker. */
export interface WorkerOverflow {
  /** The first such request name, and the first such combination of tags. */
  readonly name: string | null;
  readonly tags: string | null;
  /** Tags whose values are no longer distinguished. */
  readonly foldedTags: readonly string[];
}

export interface WorkerHealth {
  /** Share of the time that the thread was busy, 0–1. */
  readonly utilization: number;
  /** The delay between an event and the thread's reaction to it. */
  readonly loopDelayP95Ms: number;
  readonly loopDelayP99Ms: number;
  readonly pauses: PausesResult;
  /**
   * How long the thread only waited for its next arrival and used CPU for it, turn by turn; not part of its
   * busy time.
   */
  readonly waitedMs: number;
  /** The same figures since the last snapshot. */
  readonly last: {
    readonly durationMs: number;
    readonly utilization: number;
    readonly loopDelayP99Ms: number;
  };
}

export interface LogLine {
  readonly level: "info" | "warn" | "error";
  readonly text: MaskedText;
  readonly from: MaskedText;
}

/** The origin of log lines that the test's code did not write. */
export const ownOrigin: MaskedText = ownWords`bearhug`;

/** Parts of the test besides its scenarios. */
export type Stage = "module" | "setup" | "teardown" | "summary";

/** Coordinator → definition worker. `cutOff`: setup or teardown is no longer waited for. */
export type ToDefinitionWorker =
  | { readonly type: "setup"; readonly plan: RunPlan }
  | { readonly type: "teardown" }
  | { readonly type: "cutOff" }
  | {
      readonly type: "summarize";
      readonly result: TestResult;
      /** The values to mask by now. */
      readonly secrets: readonly string[];
    };

/** Definition worker → coordinator. */
export type FromDefinitionWorker =
  | SecretsSeen
  | {
      readonly type: "described";
      readonly test: ValidatedTest;
      readonly feeds: SharedFeeds;
    }
  /** Secrets in rows of feeds, or in the data of setup. */
  | { readonly type: "dataSecrets"; readonly values: readonly string[] }
  | { readonly type: "invalid"; readonly problems: readonly TestProblem[] }
  | { readonly type: "threw"; readonly stage: Stage; readonly thrown: Thrown }
  | { readonly type: "setupDone"; readonly data: unknown }
  /** An unhandled error in code that setup started, after setup. */
  | { readonly type: "unhandledError"; readonly code: UnhandledErrorCode; readonly thrown: Thrown }
  | { readonly type: "teardownDone" }
  | { readonly type: "summarized"; readonly summary: ValidatedSummary }
  | { readonly type: "unmeasured"; readonly traffic: readonly UnmeasuredTraffic[] }
  /** The oddities of successful requests of a stage. */
  | {
      readonly type: "oddities";
      readonly stage: "setup" | "teardown";
      readonly oddities: readonly ErrorRecord[];
    }
  | { readonly type: "log"; readonly line: LogLine };

/** One end of the connection between coordinator and worker: `Sent` goes out, `Received` comes in. */
export interface Port<Sent, Received> {
  readonly send: (message: Sent) => void;
  /** Called once; messages that arrived before are delivered then. */
  readonly receive: (listener: (message: Received) => void) => void;
}

/** A worker's end of the connection. */
export interface WorkerPort<Sent, Received> extends Port<Sent, Received> {
  /** Calls the listener when the coordinator has given the worker up and no longer listens to it. */
  readonly onClose: (listener: () => void) => void;
}

/** A kind of failed request, such as `HTTP_401`. */
export interface FailedRequest {
  readonly name: string;
  readonly code: string;
  /** Scheme, host and port. */
  readonly origin: string;
}

/** A value that a test threw, in the form that is sent between threads. */
export interface Thrown {
  readonly message: MaskedText;
  /** The position in the test, if the stack has it. */
  readonly position: BundlePosition | null;
  /** Requests of setup or teardown that had failed before it; absent for none. */
  readonly failedRequests?: readonly FailedRequest[];
}
