import type { BundlePosition, ErrorRecord } from "@bearhug/metrics/error-log";
import type { ValidatedThreshold } from "@bearhug/metrics/thresholds/read-threshold";
import type { DescribedClient } from "@bearhug/plan/clients/client-kind";
import type { ScenarioPacing } from "@bearhug/plan/executors/load-model";
import type { ValidatedScenario } from "@bearhug/plan/executors/validated-scenario";
import type { ValidatedHttp } from "@bearhug/plan/http-options/validated-http";
import type { DescribedMonitor, MonitorReport } from "@bearhug/plan/monitors/monitor";
import type { Stripe } from "@bearhug/plan/pacing/stripe";
import type { WorkerSnapshot } from "@bearhug/plan/protocol/messages";
import type { OverloadLoad } from "@bearhug/plan/protocol/overload-load";
import type { JudgingOptions, RunPlan } from "@bearhug/plan/protocol/plan";
import type { PlannedVariants } from "@bearhug/plan/protocol/variants";
import type { TestResult } from "@bearhug/sdk";
import type { SourcePosition } from "@bearhug/sdk/result";

import type { LoadGauges, ScenarioCounts } from "./account.ts";
import type { RunState } from "./run-state.ts";

/**
 * Stores the data of a run, already masked, where it outlives the process. Neither throws nor blocks: a run
 * must go on even if it cannot be recorded.
 */
export interface RunRecorder {
  /** Called once, when the run is planned. */
  begin(run: RecordedRun): void;
  /** Called about once a second from then on, and at the end. */
  add(moment: RecordedMoment): void;
}

/** The facts of a run that are known before it begins and that its result contains. */
export interface RecordedRun {
  readonly file: string | null;
  readonly beganAt: string;
  readonly isStrictGenerator: boolean;
  /** A hash of the test's code; absent if the test has no file. */
  readonly fingerprint?: string;
  /** True if a late start or a missing shard is not a failure. */
  readonly allowsPartial: boolean;
  /** Null for a run that is not a shard. */
  readonly shard: RecordedShard | null;
  /** Null if the test's module threw: nothing was planned. */
  readonly plan: RecordedPlan | null;
  readonly thresholds: readonly RecordedThreshold[];
  readonly monitors: readonly DescribedMonitor[];
  readonly tool: TestResult["tool"];
  readonly environment: TestResult["environment"];
}

/** One machine's part in a run of several machines, and the facts that all of them must have in common. */
export interface RecordedShard extends Stripe {
  readonly testHash: string;
  /** The common start; null if each machine started when it was ready. */
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
  /** Absent if no judging option was set. */
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
  /** The scenario's place in the test; absent if the test has no file. */
  readonly source?: SourcePosition;
  /** Absent in recordings of earlier versions. */
  readonly pacing?: ScenarioPacing;
  /** Absent unless a feed has too few rows for all iterations, and ends the scenario. */
  readonly endedByFeed?: FeedEnd;
  /** True for a load without virtual users, or with too low a rate for one iteration; otherwise absent. */
  readonly isEmpty?: true;
}

/** A feed that ends a scenario early. */
export interface FeedEnd {
  readonly feed: string;
  readonly rows: number;
  /** The most iterations that its rows suffice for. */
  readonly iterations: number;
}

/** The planned rate of a scenario with a constant arrival rate, and the limit of its VUs. */
export interface ArrivalRate {
  readonly perSecond: number;
  readonly maxVUs: number;
  /** True if iterations wait for a virtual user, so that some start after the load's time; otherwise absent. */
  readonly isQueued?: true;
}

export interface RecordedThreshold {
  readonly threshold: ValidatedThreshold;
  /** The threshold's place in the test; null if the test has no file. */
  readonly source: SourcePosition | null;
}

/** The inputs since the previous moment, and the state of the run. */
export interface RecordedMoment {
  readonly inputs: readonly CollectorInput[];
  /** Places in the bundle that occur for the first time. */
  readonly places: readonly RecordedPlace[];
  readonly state: RunState;
  /** Absent without a load. */
  readonly progress?: RecordedProgress;
  /** True if the run reached its end: nothing follows. */
  readonly isEnd: boolean;
}

/** The moments of a recording, in order, up to its end or damage. Returns the damage; null for none. */
export type RecordedMoments = AsyncIterable<RecordedMoment, Damage | null>;

/** The place from which a recording cannot be read. Everything before it is intact. */
export interface Damage {
  /** Such as "at byte 4000 of 7515". */
  readonly where: string;
}

/** Counts that only the progress of a run shows. */
export interface RecordedProgress {
  /** Includes the warm-up. */
  readonly receivedBytes: number;
  /** In the order of the plan. */
  readonly scenarios: readonly ScenarioCounts[];
  readonly warmup: readonly ScenarioCounts[];
}

/** An input of the collector. Inputs keep their order. */
export type CollectorInput =
  | { readonly kind: "snapshot"; readonly workerId: number; readonly snapshot: WorkerSnapshot }
  | { readonly kind: "errors"; readonly errors: readonly ErrorRecord[] }
  | { readonly kind: "gauges"; readonly second: number; readonly gauges: LoadGauges }
  | { readonly kind: "monitor"; readonly report: MonitorReport };

/**
 * A place in the bundle, with its place in the test's source. Recorded, because the bundle is deleted after
 * the run.
 */
export interface RecordedPlace {
  readonly position: BundlePosition;
  readonly source: SourcePosition;
  readonly frame: string | null;
}
