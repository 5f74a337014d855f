import type { BundlePosition } from "@bearhug/metrics/error-log";
import type { DescribedClient } from "@bearhug/plan/clients/client-kind";
import type { ScenarioPacing } from "@bearhug/plan/executors/load-model";
import type { DescribedMonitor, MonitorReport } from "@bearhug/plan/monitors/monitor";
import type { Stripe } from "@bearhug/plan/pacing/stripe";
import type { WorkerSnapshot } from "@bearhug/plan/protocol/messages";
import type { OverloadLoad } from "@bearhug/plan/protocol/overload-load";
import type { JudgingOptions, RunPlan } from "@bearhug/plan/protocol/plan";
import type { PlannedVariants } from "@bearhug/plan/protocol/variants";
import type { TestResult } from "@bearhug/sdk";
import type { ValidatedHttp, ValidatedScenario, ValidatedThreshold } from "@bearhug/sdk/internal";
import type { SourcePosition } from "@bearhug/sdk/result";

import type { LoadGauges, ScenarioCounts } from "./account.ts";
import type { RunState } from "./run-state.ts";

/**
 * Keeps the data of a run where it outlives the process. Secrets are masked before.
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
  /** A hash of the test's code; absent where it is in no file. */
  readonly fingerprint?: string;
  /** A late start, or a shard that is missing, is no failure. */
  readonly allowsPartial: boolean;
  /** Null for a run that is no part of another. */
  readonly shard: RecordedShard | null;
  /** Null where the test's module threw: nothing was planned. */
  readonly plan: RecordedPlan | null;
  readonly thresholds: readonly RecordedThreshold[];
  readonly monitors: readonly DescribedMonitor[];
  readonly tool: TestResult["tool"];
  readonly environment: TestResult["environment"];
}

/** The part that one machine had in a run of several, and what all of them must have in common. */
export interface RecordedShard extends Stripe {
  readonly testHash: string;
  /** The common start; null where each started when it could. */
  readonly startAt: string | null;
}

/** The parts of a plan that a result shows. */
export interface RecordedPlan extends Pick<
  RunPlan,
  "testName" | "seed" | "baseUrl" | "allowHosts" | "metrics" | "workers" | "warmupMs" | "maxDataBytes"
> {
  readonly clients: readonly DescribedClient[];
  readonly scenarios: readonly RecordedScenario[];
  /** Absent without variants. */
  readonly variants?: RecordedVariants;
  /** Absent for a load that stays at its rate. */
  readonly overload?: OverloadLoad;
  /** Absent where nothing was said. */
  readonly judging?: JudgingOptions;
}

/** The names of variants, and how they take turns. */
export interface RecordedVariants extends Pick<PlannedVariants["rule"], "turnMs" | "changeoverMs"> {
  readonly names: readonly string[];
}

export interface RecordedScenario {
  readonly scenario: Pick<
    ValidatedScenario,
    "name" | "executor" | "expectsNoRequests" | "expectsFailures"
  > & {
    readonly http: Pick<ValidatedHttp, "transport">;
  };
  /** Null for a scenario whose rate is not constant. */
  readonly arrivalRate?: ArrivalRate | null;
  readonly description: string;
  /** Its place in the test; absent if it is in no file. */
  readonly source?: SourcePosition;
  /** Absent in recordings of earlier versions. */
  readonly pacing?: ScenarioPacing;
  /** Absent unless a feed has fewer rows than the scenario would have iterations, and ends it. */
  readonly endedByFeed?: FeedEnd;
}

/** A feed that ends a scenario before its time. */
export interface FeedEnd {
  readonly feed: string;
  readonly rows: number;
  /** The scenario has no more than these. */
  readonly iterations: number;
}

/** The rate that a scenario with a constant arrival rate was to have, and the bound on its VUs. */
export interface ArrivalRate {
  readonly perSecond: number;
  readonly maxVUs: number;
}

export interface RecordedThreshold {
  readonly threshold: ValidatedThreshold;
  /** Its place in the test; null if it is in no file. */
  readonly source: SourcePosition | null;
}

/** The inputs since the previous moment, and the state of the run. */
export interface RecordedMoment {
  readonly inputs: readonly CollectorInput[];
  /** Places in the bundle that are met for the first time. */
  readonly places: readonly RecordedPlace[];
  readonly state: RunState;
  /** Absent without a load. */
  readonly progress?: RecordedProgress;
  /** True if the run came to its end: nothing follows. */
  readonly isEnd: boolean;
}

/** The moments of a recording, as they were written, up to where it ends or is damaged. Returns the damage; null for none. */
export type RecordedMoments = AsyncIterable<RecordedMoment, Damage | null>;

/** The place from which on a recording cannot be read. Everything before it is whole. */
export interface Damage {
  /** Such as "at byte 4000 of 7515". */
  readonly where: string;
}

/** Counts that only the progress of a run tells of. */
export interface RecordedProgress {
  /** With the warm-up. */
  readonly receivedBytes: number;
  /** In the order of the plan. */
  readonly scenarios: readonly ScenarioCounts[];
  readonly warmup: readonly ScenarioCounts[];
}

/** An input of the collector. Inputs keep their order. */
export type CollectorInput =
  | { readonly kind: "snapshot"; readonly workerId: number; readonly snapshot: WorkerSnapshot }
  | { readonly kind: "gauges"; readonly second: number; readonly gauges: LoadGauges }
  | { readonly kind: "monitor"; readonly report: MonitorReport };

/** A place in the bundle, found in the test's source: the bundle is gone when the run has ended. */
export interface RecordedPlace {
  readonly position: BundlePosition;
  readonly source: SourcePosition;
  readonly frame: string | null;
}
