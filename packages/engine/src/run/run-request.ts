import type { ClientKind } from "@bearhug/plan/clients/client-kind";
import type { ValidatedSummary } from "@bearhug/plan/definition/read-summary";
import type { ValidatedTest } from "@bearhug/plan/definition/validated-test";
import type { Clock } from "@bearhug/plan/pacing/clock";
import type { Launcher } from "@bearhug/plan/protocol/launcher";
import type { LogLine } from "@bearhug/plan/protocol/messages";
import type { RunPlan } from "@bearhug/plan/protocol/plan";
import type { SharedFeeds } from "@bearhug/plan/protocol/shared-feeds";
import type { SampleTaker } from "@bearhug/plan/protocol/shared-samples";
import type { RunOptions } from "@bearhug/plan/test-file/run-options";
import type { IntervalSnapshot, RunDescription, TestResult } from "@bearhug/sdk";
import type { Mask } from "@bearhug/text/secret-mask";

import type { MachineLimits } from "../health/machine-limits.ts";
import type { Collector } from "../outcome/collect.ts";
import type { RecordedPlan, RecordedThreshold, RunRecorder } from "../outcome/run-record.ts";
import type { Locate } from "../outcome/run.ts";
import type { TrafficReporter } from "../outcome/report-traffic.ts";
import type { DefinitionSession } from "./definition-session.ts";
import type { Interruptions } from "./interruptions.ts";
import type { LiveState } from "./live-state.ts";
import type { LoadedTest } from "./load-test.ts";

/** A request for a run: its test, its options, and the parties involved. */
export interface RunRequest {
  readonly loaded: LoadedTest;
  readonly options: RunOptions;
  readonly launch: Launcher;
  readonly interruptions: Interruptions;
  readonly observer: RunObserver;
  /** Null if the run is not recorded. */
  readonly recorder: RunRecorder | null;
  /** The kinds of clients that virtual users have. @default the built-in ones */
  readonly clients?: readonly ClientKind[];
  /** Changes the test before its run is planned. */
  readonly changeTest?: (test: ValidatedTest) => ValidatedTest;
  /** Receives sampled requests. @default null: requests are not sampled */
  readonly samples?: SampleTaker | null;
  /** Leads a run of several machines. @default null: no lead */
  readonly lead?: LeadLink | null;
}

/** The coordinator of a run of several machines, as one of these machines sees it. */
export interface LeadLink {
  /** Reports that this machine is ready. Resolves to the common start, as a time of this process's clock. */
  awaitStart(): Promise<number>;
  /** Sends the other machines the data that setup returned, as JSON. Called on the first shard. */
  sendSetupData(text: string): void;
  /** Resolves to the data that setup returned on the first shard. */
  awaitSetupData(): Promise<string>;
  /**
   * Reports that this machine's load is over. Resolves once that of every other machine is, too: teardown may
   * begin.
   */
  awaitLoadsOver(): Promise<void>;
}

/**
 * Runs the test's `summary` on a result. Resolves to the summary, or to a sentence that explains why there is
 * none.
 */
export type SummarizeResult = (
  result: TestResult,
) => Promise<{ readonly summary: ValidatedSummary } | { readonly problem: string }>;

/**
 * Concludes a run with its result, while the test's worker is still there.
 * @param summarize null for a test without a summary of its own, and on a machine with a lead
 */
export type Conclude<Concluded> = (
  result: TestResult,
  summarize: SummarizeResult | null,
) => Promise<Concluded>;

/** Watches a run. Everything that it receives is masked. */
export interface RunObserver {
  /** True to receive `series` with each progress, and the remaining samples after the load. @default false */
  readonly wantsSeries?: boolean;
  /** Called when the run is planned, before any request is sent. */
  onStart?(run: RunDescription): void;
  /** Called once a second. */
  onProgress?(progress: IntervalSnapshot): void;
  /** Called once when the load is over, with the samples since the last progress. Only with `wantsSeries`. */
  onFinalSeries?(rest: IntervalSnapshot): void;
  /** Called when the load is over and the test's teardown begins. */
  onTeardown?(): void;
  /** Called when the run is over and the test's own `summary` begins. */
  onSummary?(): void;
  onLog(line: LogLine): void;
  onWarning(text: string): void;
}

/** A run in progress, with the functions that receive its output. Everything they receive is masked. */
export interface LiveRun extends RunRequest {
  readonly clock: Clock;
  readonly clients: readonly ClientKind[];
  readonly samples: SampleTaker | null;
  readonly lead: LeadLink | null;
  readonly limits: MachineLimits;
  readonly definition: DefinitionSession;
  readonly state: LiveState;
  /** Masks everything that the run reports. */
  readonly mask: Mask;
  readonly locate: Locate;
  readonly onWarning: (text: string) => void;
  readonly onLog: (line: LogLine) => void;
  readonly onOutput: (text: string) => void;
  readonly traffic: TrafficReporter;
  /** The clock's time at which the run began. */
  readonly beganMs: number;
  readonly beganAt: Date;
}

/** A plan, with the thresholds as they are judged. */
export interface JudgedPlan {
  readonly plan: RunPlan;
  /** The parts of the plan that results and progress show; not masked. */
  readonly described: RecordedPlan;
  /** Masked, as the tags of samples are. */
  readonly thresholds: readonly RecordedThreshold[];
}

/** A live run whose test is known and planned. */
export interface PlannedLiveRun extends LiveRun {
  readonly planned: JudgedPlan;
  /** Identical on all shards of a run; null for a run that is not a shard. */
  readonly testHash: string | null;
  readonly test: ValidatedTest;
  /** The rows of the test's feeds, as workers receive them. */
  readonly feeds: SharedFeeds;
  /** Collects all samples of the load. */
  readonly collector: Collector;
  /** Records the current state at once. */
  readonly recordNow: () => void;
}

/** The time limit for loading a test's module, in any thread. */
export const loadTimeoutMs = 60_000;
