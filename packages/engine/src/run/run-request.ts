import type { ClientKind } from "@bearhug/plan/clients/client-kind";
import type { Clock } from "@bearhug/plan/pacing/clock";
import type { Launcher } from "@bearhug/plan/protocol/launcher";
import type { LogLine } from "@bearhug/plan/protocol/messages";
import type { SharedFeeds } from "@bearhug/plan/protocol/shared-feeds";
import type { SampleTaker } from "@bearhug/plan/protocol/shared-samples";
import type { PlannedRun } from "@bearhug/plan/test-file/make-plan";
import type { RunOptions } from "@bearhug/plan/test-file/run-options";
import type { IntervalSnapshot, RunDescription, TestResult } from "@bearhug/sdk";
import type { ReadSummary, ValidatedTest } from "@bearhug/sdk/internal";
import type { Mask } from "@bearhug/text/secret-mask";

import type { MachineLimits } from "../health/machine-limits.ts";
import type { Collector } from "../outcome/collect.ts";
import type { RunRecorder } from "../outcome/run-record.ts";
import type { Locate } from "../outcome/run.ts";
import type { TrafficTeller } from "../outcome/tell-traffic.ts";
import type { DefinitionSession } from "./definition-session.ts";
import type { Interruptions } from "./interruptions.ts";
import type { LiveState } from "./live-state.ts";
import type { LoadedTest } from "./load-test.ts";

/** A run that is asked for: its test, all that was said of it, and who takes part. */
export interface RunRequest {
  readonly loaded: LoadedTest;
  readonly options: RunOptions;
  readonly launch: Launcher;
  readonly interruptions: Interruptions;
  readonly observer: RunObserver;
  /** Null: nothing outlives the process but what is reported. */
  readonly recorder: RunRecorder | null;
  /** The kinds of clients that virtual users have. @default those of every run */
  readonly clients?: readonly ClientKind[];
  /** Changes the test before its run is decided. */
  readonly reshape?: (test: ValidatedTest) => ValidatedTest;
  /** Takes samples of requests. @default nobody does */
  readonly samples?: SampleTaker | null;
  /** Leads a run of several machines. @default nobody does */
  readonly lead?: Lead | null;
}

/** The one that leads a run of several machines, as one of them knows it. */
export interface Lead {
  /** This machine is ready. Resolves to the time of the common start, by this process's clock. */
  awaitStart(): Promise<number>;
  /** Gives the other machines the data that setup returned, as JSON. Called on the first shard. */
  sendSetupData(text: string): void;
  /** Resolves to the data that setup returned on the first shard. */
  awaitSetupData(): Promise<string>;
  /** The load of this machine is over. Resolves once that of every other machine is, too: then teardown may begin. */
  awaitLoadsOver(): Promise<void>;
}

/** Runs the test's `summary` on a result. Returns the summary, or a sentence that says why there is none. */
export type SummarizeResult = (
  result: TestResult,
) => Promise<{ readonly summary: ReadSummary } | { readonly problem: string }>;

/**
 * Concludes a run with its result, while the test's worker is still there.
 * @param summarize null for a test without a summary of its own
 */
export type Conclude<Told> = (result: TestResult, summarize: SummarizeResult | null) => Promise<Told>;

/** Watches a run; what it is told holds no secrets. */
export interface RunObserver {
  /** True to receive `series` with each progress, and the remaining samples after the load. @default false */
  readonly wantsSeries?: boolean;
  /** The run is decided; nothing was sent yet. */
  onStart?(run: RunDescription): void;
  /** Once a second. */
  onProgress?(progress: IntervalSnapshot): void;
  /** Once when the load is over: the samples since the last progress. Only with `wantsSeries`. */
  onRest?(rest: IntervalSnapshot): void;
  /** The load is over, and the test's teardown begins. */
  onTeardown?(): void;
  /** The run is over, and the test's own summary begins. */
  onSummary?(): void;
  onLog(line: LogLine): void;
  onWarning(text: string): void;
}

/** A run that goes on, and those whom it tells. All that they are told is masked. */
export interface LiveRun extends RunRequest {
  readonly clock: Clock;
  readonly clients: readonly ClientKind[];
  readonly samples: SampleTaker | null;
  readonly lead: Lead | null;
  /** The limits of this machine. */
  readonly limits: MachineLimits;
  readonly definition: DefinitionSession;
  readonly state: LiveState;
  /** Masks everything that is shown of the run. */
  readonly mask: Mask;
  readonly locate: Locate;
  readonly onWarning: (text: string) => void;
  readonly onLog: (line: LogLine) => void;
  readonly onOutput: (text: string) => void;
  readonly traffic: TrafficTeller;
  /** When the run began, by the clock. */
  readonly beganMs: number;
  readonly beganAt: Date;
}

/** The same, when the test is known and the run is decided. */
export interface PlannedLiveRun extends LiveRun {
  readonly planned: PlannedRun;
  /** The same for all shards of a run; null for a run that is no shard. */
  readonly testHash: string | null;
  readonly test: ValidatedTest;
  /** Rows of the test's feeds, as workers are given them. */
  readonly feeds: SharedFeeds;
  /** Takes all samples of the load. */
  readonly collector: Collector;
  /** Has the recorder told how things stand now. */
  readonly tellRecorder: () => void;
}

/** The longest that a test's module may take to load, in whichever thread. */
export const loadTimeoutMs = 60_000;
