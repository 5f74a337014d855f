import type { EnvValue, ExecutorName, Tags } from "@bearhug/sdk";
import type { arrivalKinds, busyActions } from "@bearhug/sdk/internal";
import type { ValidatedStage } from "../pacing/load-over-time.ts";
import type { ValidatedHttp } from "../http-options/validated-http.ts";

/** The validated options of every scenario. */
export interface ValidatedScenarioBase {
  readonly name: string;
  readonly startTimeMs: number;
  readonly gracefulStopMs: number;
  /** True if its iterations may make no requests. */
  readonly expectsNoRequests: boolean;
  /** True if its requests may fail, even all of them; absent if not. */
  readonly expectsFailures?: boolean;
  readonly tags: Tags;
  readonly env: Readonly<Record<string, EnvValue>>;
  /** Its own options, merged into those of the test. */
  readonly http: ValidatedHttp;
}

/**
 * Parts of a scenario that its executor's schema does not read: its name, and options that it shares with the
 * test.
 */
export type ReadSeparately = "name" | "http" | "expectsNoRequests" | "expectsFailures" | "env";

/** The options of a validated scenario that its executor's schema reads. */
export type OwnOptions<Validated> = Validated extends unknown ? Omit<Validated, ReadSeparately> : never;

/** Options of both executors that run a fixed number of iterations: in total, or per virtual user. */
export interface ValidatedIterations extends ValidatedScenarioBase {
  readonly vus: number;
  readonly iterations: number;
  readonly maxDurationMs: number;
}

/** The validated options of both open models. */
export interface ValidatedOpenModel extends ValidatedScenarioBase {
  readonly timeUnitMs: number;
  readonly preAllocatedVUs: number;
  readonly maxVUs: number;
  readonly arrivals: (typeof arrivalKinds)[number];
  readonly onBusy: (typeof busyActions)[number];
}

/** The validated options of `shared-iterations`. */
export interface ValidatedSharedIterations extends ValidatedIterations {
  readonly executor: "shared-iterations";
}

/** The validated options of `per-vu-iterations`. */
export interface ValidatedPerVuIterations extends ValidatedIterations {
  readonly executor: "per-vu-iterations";
}

/** The validated options of `constant-vus`. */
export interface ValidatedConstantVus extends ValidatedScenarioBase {
  readonly executor: "constant-vus";
  readonly vus: number;
  readonly durationMs: number;
}

/** The validated options of `ramping-vus`. */
export interface ValidatedRampingVus extends ValidatedScenarioBase {
  readonly executor: "ramping-vus";
  readonly startVUs: number;
  readonly stages: readonly ValidatedStage[];
  readonly gracefulRampDownMs: number;
}

/** The validated options of `constant-arrival-rate`. */
export interface ValidatedConstantArrivalRate extends ValidatedOpenModel {
  readonly executor: "constant-arrival-rate";
  /** Iterations to start per `timeUnitMs`. */
  readonly rate: number;
  readonly durationMs: number;
}

/** The validated options of `ramping-arrival-rate`. */
export interface ValidatedRampingArrivalRate extends ValidatedOpenModel {
  readonly executor: "ramping-arrival-rate";
  /** Iterations to start per `timeUnitMs`, at the start. */
  readonly startRate: number;
  readonly stages: readonly ValidatedStage[];
}

export type ValidatedScenario =
  | ValidatedSharedIterations
  | ValidatedPerVuIterations
  | ValidatedConstantVus
  | ValidatedRampingVus
  | ValidatedConstantArrivalRate
  | ValidatedRampingArrivalRate;

export type ScenarioOf<Name extends ExecutorName> = Extract<ValidatedScenario, { executor: Name }>;

/** A validated scenario without its name and `http`. */
export type ValidatedScenarioOptions = OwnOptions<ValidatedScenario>;
