import type { Duration } from "../duration/duration.ts";
import type { FromEnv } from "../env/env.ts";
import type { HttpOptions } from "../http-options/http-options.ts";
import type { Tags } from "../metrics/metric.ts";

/** The load models. Closed: virtual users that iterate. Open (`…-arrival-rate`): iterations that arrive. */
export type ExecutorName =
  | "shared-iterations"
  | "per-vu-iterations"
  | "constant-vus"
  | "ramping-vus"
  | "constant-arrival-rate"
  | "ramping-arrival-rate";

/** One step of a ramp: from the target before it to `target`, in a straight line. */
export interface Stage {
  readonly duration: Duration;
  /** The target at the end of the stage: virtual users, or iterations per `timeUnit`. */
  readonly target: number;
}

/** The stages of a ramp. */
export type Stages = readonly Stage[];

/** Values for the environment variables that a context has; `never` where it has none, so that others are refused. */
type EnvOf<C> = C extends { readonly env: infer Env }
  ? [keyof Env] extends [never]
    ? never
    : Partial<Env>
  : never;

/** A function that computes an option from the environment variables of the scenario. */
type Worked<T, C> = FromEnv<T, C extends { readonly env: infer Env } ? Env : never>;

/**
 * The options of every scenario. `C`: the context of its iterations. Every option but `exec`, `env` and those that
 * choose between names may be a function of the environment variables: `({ env }) => env.USERS`.
 */
export interface ScenarioBase<C> {
  /** Runs one iteration. It fails if it throws, and ends when every request that it started has settled. */
  readonly exec: (context: C) => unknown;
  /** When to start, counted from the start of the test. @default 0 */
  readonly startTime?: Duration | Worked<Duration, C>;
  /**
   * How long iterations may continue after the scenario's end. Then they are cut off, and count as failed if one of their
   * requests never got a response, otherwise as interrupted. @default "30s"
   */
  readonly gracefulStop?: Duration | Worked<Duration, C>;
  /**
   * Set this if the iterations make no requests on purpose; otherwise the scenario fails the run.
   * @default from the test
   */
  readonly expectNoRequests?: boolean;
  /**
   * Set this if requests of this scenario may fail, all of them too, or its target may go away.
   * @default from the test
   */
  readonly expectFailures?: boolean;
  /** Tags of every sample of this scenario. */
  readonly tags?: Tags | Worked<Tags, C>;
  /** How this scenario's requests are sent. Each option overrides the test's. */
  readonly http?: HttpOptions | Worked<HttpOptions, C>;
  /** Values of declared environment variables for this scenario. */
  readonly env?: EnvOf<C>;
}

/** Closed model: a fixed number of iterations, drawn by virtual users from one shared counter. */
export interface SharedIterations<C> extends ScenarioBase<C> {
  readonly executor: "shared-iterations";
  /** Virtual users. @default 1 */
  readonly vus?: number | Worked<number, C>;
  /** Total iterations. @default 1 */
  readonly iterations?: number | Worked<number, C>;
  /** When to end even if iterations are left. @default "10m" */
  readonly maxDuration?: Duration | Worked<Duration, C>;
}

/** Closed model: every virtual user runs a fixed number of iterations. */
export interface PerVuIterations<C> extends ScenarioBase<C> {
  readonly executor: "per-vu-iterations";
  /** Virtual users. @default 1 */
  readonly vus?: number | Worked<number, C>;
  /** Iterations of each virtual user. @default 1 */
  readonly iterations?: number | Worked<number, C>;
  /** When to end even if iterations are left. @default "10m" */
  readonly maxDuration?: Duration | Worked<Duration, C>;
}

/** Closed model: a fixed number of virtual users iterate for a fixed time. */
export interface ConstantVus<C> extends ScenarioBase<C> {
  readonly executor: "constant-vus";
  /** Virtual users. @default 1 */
  readonly vus?: number | Worked<number, C>;
  /** How long to keep starting iterations. Running ones may then finish within `gracefulStop`. */
  readonly duration: Duration | Worked<Duration, C>;
}

/** Closed model: virtual users that grow and shrink in stages. */
export interface RampingVus<C> extends ScenarioBase<C> {
  readonly executor: "ramping-vus";
  readonly stages: Stages | Worked<Stages, C>;
  /** Virtual users at the start. @default 1 */
  readonly startVUs?: number | Worked<number, C>;
  /** How long an iteration may continue when its virtual user is ramped down. @default "30s" */
  readonly gracefulRampDown?: Duration | Worked<Duration, C>;
}

/** Options of both open models. */
export interface OpenModel<C> {
  /** The period that rates count in. @default "1s" */
  readonly timeUnit?: Duration | Worked<Duration, C>;
  /** Virtual users to create before the start; others are created when needed. @default 0 */
  readonly preAllocatedVUs?: number | Worked<number, C>;
  /** Maximum number of virtual users. @default 10_000 */
  readonly maxVUs?: number | Worked<number, C>;
  /** How iterations are spread: evenly, or as independent users arrive (seeded). @default "uniform" */
  readonly arrivals?: "uniform" | "poisson";
  /** Action for an iteration that is due while every virtual user is busy. @default "drop" */
  readonly onBusy?: "drop" | "queue";
}

/** Open model: starts iterations on a fixed schedule, however slowly the target answers. */
export interface ConstantArrivalRate<C> extends ScenarioBase<C>, OpenModel<C> {
  readonly executor: "constant-arrival-rate";
  /** Iterations to start per `timeUnit`, across all workers. Must be greater than 0. */
  readonly rate: number | Worked<number, C>;
  /** How long to keep starting iterations. Running ones may then finish within `gracefulStop`. */
  readonly duration: Duration | Worked<Duration, C>;
}

/** Open model: starts iterations at a rate that changes in stages, however slowly the target answers. */
export interface RampingArrivalRate<C> extends ScenarioBase<C>, OpenModel<C> {
  readonly executor: "ramping-arrival-rate";
  readonly stages: Stages | Worked<Stages, C>;
  /** Iterations per `timeUnit` at the start. @default 0 */
  readonly startRate?: number | Worked<number, C>;
}

/** One scenario: what its iterations do, and when they start. */
export type Scenario<C> =
  | SharedIterations<C>
  | PerVuIterations<C>
  | ConstantVus<C>
  | RampingVus<C>
  | ConstantArrivalRate<C>
  | RampingArrivalRate<C>;
