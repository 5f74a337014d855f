import type { MetricType, MetricUnit } from "../metrics/built-in-metrics.ts";
import type { EnvType, EnvValue } from "../env/env.ts";
import type { Tags } from "../metrics/metric.ts";
import type { TagFilter } from "../metrics/metric-selector.ts";
import type { ThresholdExpression } from "../thresholds/threshold-expression.ts";
import type { ValidatedHttp } from "../http-options/http-options.ts";

/** A test that was found valid, as plain data: it can be cloned and sent. Durations are milliseconds, defaults are filled in. */
export interface ValidatedTest {
  /** Null where the test has no name of its own. */
  readonly name: string | null;
  readonly baseUrl: string | null;
  readonly allowHosts: readonly string[];
  readonly siteHosts: readonly string[];
  readonly allowUnmeasured: boolean;
  /** Of setup and teardown, and of scenarios that say nothing else. */
  readonly http: ValidatedHttp;
  readonly env: Readonly<Record<string, ValidatedEnv>>;
  readonly metrics: Readonly<Record<string, ValidatedMetric>>;
  /** In the order they were written. */
  readonly feeds: readonly ValidatedFeed[];
  readonly hasSetup: boolean;
  readonly setupTimeoutMs: number;
  readonly hasTeardown: boolean;
  readonly teardownTimeoutMs: number;
  readonly warmupMs: number;
  /** In the order they were written. */
  readonly scenarios: readonly ValidatedScenario[];
  /** One for each expression, in the order they were written. */
  readonly thresholds: readonly ValidatedThreshold[];
}

/** An environment variable that a test declares. */
export interface ValidatedEnv {
  readonly type: EnvType;
  /** Null where it has none: then it must be set, unless it is optional. Durations are milliseconds. */
  readonly default: EnvValue | null;
  /** True where its value is "" as long as it is not set. */
  readonly optional: boolean;
  readonly secret: boolean;
  readonly description: string | null;
}

/** A feed that a test declares, apart from its rows. */
export interface ValidatedFeed {
  readonly name: string;
  readonly format: "csv" | "json" | "ndjson" | "rows";
  readonly order: "sequential" | "shuffled" | "random";
  readonly per: "iteration" | "vu";
  readonly atEnd: "wrap" | "stop";
  readonly isUnique: boolean;
  /** The scenarios that use it; null where the test does not say: all may. */
  readonly scenarios: readonly string[] | null;
  /** How many rows it has; null until they are read. */
  readonly rows: number | null;
}

/** A metric that a test declares. */
export interface ValidatedMetric {
  readonly type: MetricType;
  readonly unit: MetricUnit;
}

/** A threshold, read. */
export interface ValidatedThreshold {
  /** The key as it was written: the metric, with its tag filter. */
  readonly key: string;
  readonly metric: string;
  /** Regular expressions stay texts; `parseMetricSelector(key)` makes them. */
  readonly filters: readonly ValidatedTagFilter[];
  readonly expression: ThresholdExpression;
  /** The expression as it was written. */
  readonly text: string;
  readonly abortOnFail: boolean;
  readonly delayAbortEvalMs: number;
  /** Null: judged over the whole test. */
  readonly windowMs: number | null;
  readonly allowEmpty: boolean;
}

/** A condition on one tag of a sample. */
export interface ValidatedTagFilter {
  readonly tag: string;
  readonly operator: TagFilter["operator"];
  /** The value, or the source of the regular expression. */
  readonly value: string;
}

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
