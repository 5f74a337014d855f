import type { EnvValue } from "../env/env.ts";
import type { ValidatedHttp } from "../http-options/http-options.ts";
import type { Tags } from "../metrics/metric.ts";

/** One step of a ramp. */
export interface ValidatedStage {
  readonly durationMs: number;
  readonly target: number;
}

/** The options of every scenario. */
export interface ValidatedScenarioBase {
  readonly name: string;
  readonly startTimeMs: number;
  readonly gracefulStopMs: number;
  /** Its iterations may make no request. */
  readonly expectsNoRequests: boolean;
  /** Its requests may fail, all of them too; absent if not. */
  readonly expectsFailures?: boolean;
  readonly tags: Tags;
  readonly env: Readonly<Record<string, EnvValue>>;
  /** Its own options and, where it has none, the test's. */
  readonly http: ValidatedHttp;
}

/** A fixed number of iterations: in all, or of each virtual user. */
export interface ValidatedIterations extends ValidatedScenarioBase {
  readonly executor: "shared-iterations" | "per-vu-iterations";
  readonly vus: number;
  readonly iterations: number;
  readonly maxDurationMs: number;
}

/** A fixed number of virtual users for a fixed time. */
export interface ValidatedConstantVus extends ValidatedScenarioBase {
  readonly executor: "constant-vus";
  readonly vus: number;
  readonly durationMs: number;
}

/** Virtual users that grow and shrink. */
export interface ValidatedRampingVus extends ValidatedScenarioBase {
  readonly executor: "ramping-vus";
  readonly startVUs: number;
  readonly stages: readonly ValidatedStage[];
  readonly gracefulRampDownMs: number;
}

/** The most virtual users of an open model that names no number. */
export const defaultMaxVUs = 10_000;

/** The options of both open models. */
export interface ValidatedOpenModel extends ValidatedScenarioBase {
  readonly timeUnitMs: number;
  readonly preAllocatedVUs: number;
  readonly maxVUs: number;
  readonly arrivals: "uniform" | "poisson";
  readonly onBusy: "drop" | "queue";
}

/** Iterations at a fixed rate. */
export interface ValidatedConstantArrivalRate extends ValidatedOpenModel {
  readonly executor: "constant-arrival-rate";
  /** Iterations to start per `timeUnitMs`. */
  readonly rate: number;
  readonly durationMs: number;
}

/** Iterations at a rate that changes. */
export interface ValidatedRampingArrivalRate extends ValidatedOpenModel {
  readonly executor: "ramping-arrival-rate";
  /** Iterations to start per `timeUnitMs`, at the start. */
  readonly startRate: number;
  readonly stages: readonly ValidatedStage[];
}

/** A scenario that was found valid. */
export type ValidatedScenario =
  | ValidatedIterations
  | ValidatedConstantVus
  | ValidatedRampingVus
  | ValidatedConstantArrivalRate
  | ValidatedRampingArrivalRate;
