import type { IntervalSnapshot, RunDescription, TestResult } from "@bearhug/sdk";
import type { ReadSummary, ValidatedTest } from "@bearhug/sdk/internal";

import type { ClientKind } from "../clients/client-kind.ts";
import type { Clock } from "../pacing/clock.ts";
import type { DefinitionSource } from "../protocol/definition-source.ts";
import type { Launcher } from "../protocol/launcher.ts";
import type { LogLine } from "../protocol/messages.ts";
import type { SampleTaker } from "../protocol/samples.ts";
import type { SharedFeeds } from "../protocol/shared-feeds.ts";
import type { MachineLimits } from "../health/machine-limits.ts";
import type { MonitorOrder } from "../monitors/monitor-kinds.ts";
import type { RunRecorder } from "../outcome/run-record.ts";
import type { Mask } from "../secret-mask.ts";
import type { PlannedRun } from "../test-file/make-plan.ts";
import type { GivenVariables } from "../test-file/read-env.ts";
import type { Sharding } from "../test-file/sharding.ts";
import type { Locate, LocateOption, LocateThreshold } from "../outcome/run.ts";
import type { Collector } from "../outcome/collect.ts";
import type { DefinitionSession } from "./definition-session.ts";
import type { Interruptions } from "./interruptions.ts";
import type { Lead } from "./lead.ts";
import type { LiveState } from "./live-state.ts";
import type { TrafficTeller } from "../outcome/tell-traffic.ts";

/** The request for a run. */
export interface TestRunRequest {
  readonly source: DefinitionSource;
  readonly launch: Launcher;
  readonly clock: Clock;
  readonly variables: GivenVariables;
  /** The kinds of clients that virtual users have. */
  readonly clients: readonly ClientKind[];
  /** Decides the run once the test is known; throws InvalidInput with every problem. */
  readonly plan: (test: ValidatedTest, clients: readonly ClientKind[]) => PlannedRun;
  /** The test's file as the user named it; null where there is none. */
  readonly file: string | null;
  readonly isStrictGenerator: boolean;
  /** The limits of this machine. */
  readonly limits: MachineLimits;
  /** The capacity of the link to the target; null if the user gave none. */
  readonly linkBitsPerSecond: number | null;
  /** Masked from the start, before it is known what the test declares. */
  readonly knownSecrets: readonly string[];
  /** A hash of the test's code; null where it is in no file. */
  readonly fingerprint: string | null;
  /** This machine's part in a run of several, and their common start. */
  readonly sharding: Sharding;
  /** Null for a run that nobody leads. */
  readonly lead: Lead | null;
  readonly locate: Locate;
  readonly locateThreshold: LocateThreshold;
  readonly locateOption: LocateOption;
  readonly interruptions: Interruptions;
  readonly observer: RunObserver;
  /** Null: nothing outlives the process but what is reported. */
  readonly recorder: RunRecorder | null;
  /** Null where requests are not sampled. */
  readonly samples: SampleTaker | null;
  /** Servers and processes to read once a second while the load is applied. */
  readonly monitors: readonly MonitorOrder[];
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
export interface CommonParts extends TestRunRequest {
  readonly definition: DefinitionSession;
  readonly state: LiveState;
  /** Masks everything that is shown of the run. */
  readonly mask: Mask;
  readonly onWarning: (text: string) => void;
  readonly onLog: (line: LogLine) => void;
  readonly onOutput: (text: string) => void;
  readonly traffic: TrafficTeller;
  /** When the run began, by the clock. */
  readonly beganMs: number;
  readonly beganAt: Date;
}

/** The same, when the test is known and the run is decided. */
export interface PlannedRequest extends CommonParts {
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
