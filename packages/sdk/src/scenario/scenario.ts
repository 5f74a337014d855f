import type { Duration } from "../duration/duration.ts";
import type { FromEnv } from "../env/env.ts";
import type { HttpOptions } from "../http-options/http-options.ts";
import type { Tags } from "../metrics/metric.ts";

/** One scenario: what its iterations do, and when they start. */
export type Scenario<C> =
  | SharedIterations<C>
  | PerVuIterations<C>
  | ConstantVus<C>
  | RampingVus<C>
  | ConstantArrivalRate<C>
  | RampingArrivalRate<C>;

/**
 * The names of the load models. Closed: virtual users iterate. Open (`…-arrival-rate`): iterations arrive at
 * a rate.
 */
export const executorNames = [
  "shared-iterations",
  "per-vu-iterations",
  "constant-vus",
  "ramping-vus",
  "constant-arrival-rate",
  "ramping-arrival-rate",
] as const;

/**
 * The name of a load model. Closed: virtual users iterate. Open (`…-arrival-rate`): iterations arrive at a
 * rate.
 */
export type ExecutorName = (typeof executorNames)[number];

/** How a load model starts iterations. */
interface ExecutorTraits {
  /** True if iterations start at a rate, however slowly the target responds. */
  readonly isOpen: boolean;
  /** True if it ends after a time, false if it ends after a number of iterations. */
  readonly isTimed: boolean;
}

/** The traits of each load model. */
export const executors: Readonly<Record<ExecutorName, ExecutorTraits>> = {
  "shared-iterations": { isOpen: false, isTimed: false },
  "per-vu-iterations": { isOpen: false, isTimed: false },
  "constant-vus": { isOpen: false, isTimed: true },
  "ramping-vus": { isOpen: false, isTimed: true },
  "constant-arrival-rate": { isOpen: true, isTimed: true },
  "ramping-arrival-rate": { isOpen: true, isTimed: true },
};

/**
 * Values for the environment variables that a context has; `never` if it has none, so that the compiler
 * rejects others.
 */
type EnvOf<C> = C extends { readonly env: infer Env }
  ? [keyof Env] extends [never]
    ? never
    : Partial<Env>
  : never;

/** A function that computes an option from the environment variables of the scenario. */
type Computed<T, C> = FromEnv<T, C extends { readonly env: infer Env } ? Env : never>;

/**
 * The options of every scenario. `C`: the context of its iterations. Every option but `exec`, `executor` and `env` may be a
 * function of the environment variables: `({ env }) => env.USERS`.
 */
export interface ScenarioBase<C> {
  /**
   * Runs one iteration. The iteration fails if this throws, and ends when every request that it started has
   * settled.
   */
  readonly exec: (context: C) => unknown;
  /** When to start, counted from the start of the test. @default 0 */
  readonly startTime?: Duration | Computed<Duration, C>;
  /**
   * How long iterations may continue after the scenario's end. Then they are cut off. Those with an
   * unanswered request count as failed, all others as interrupted. @default "30s"
   */
  readonly gracefulStop?: Duration | Computed<Duration, C>;
  /**
   * Set this if the iterations make no requests on purpose; otherwise the scenario fails the run.
   * @default from the test
   */
  readonly expectNoRequests?: boolean | Computed<boolean, C>;
  /**
   * Set this if requests of this scenario may fail on purpose, even all of them, or if its target may go
   * away.
   * @default from the test
   */
  readonly expectFailures?: boolean | Computed<boolean, C>;
  /** Tags of every sample of this scenario. */
  readonly tags?: Tags | Computed<Tags, C>;
  /** How this scenario's requests are sent. Each option overrides the test's. */
  readonly http?: HttpOptions | Computed<HttpOptions, C>;
  /** Values of declared environment variables for this scenario. */
  readonly env?: EnvOf<C>;
}

/** Closed model: a fixed number of iterations, which virtual users take from one shared counter. */
export interface SharedIterations<C> extends ScenarioBase<C> {
  readonly executor: "shared-iterations";
  /** Number of virtual users. @default 1 */
  readonly vus?: number | Computed<number, C>;
  /** Number of iterations in total. @default 1 */
  readonly iterations?: number | Computed<number, C>;
  /** Time after which the scenario ends even if iterations are left. @default "10m" */
  readonly maxDuration?: Duration | Computed<Duration, C>;
}

/** Closed model: every virtual user runs a fixed number of iterations. */
export interface PerVuIterations<C> extends ScenarioBase<C> {
  readonly executor: "per-vu-iterations";
  /** Number of virtual users. @default 1 */
  readonly vus?: number | Computed<number, C>;
  /** Iterations of each virtual user. @default 1 */
  readonly iterations?: number | Computed<number, C>;
  /** Time after which the scenario ends even if iterations are left. @default "10m" */
  readonly maxDuration?: Duration | Computed<Duration, C>;
}

/** Closed model: a fixed number of virtual users iterate for a fixed time. */
export interface ConstantVus<C> extends ScenarioBase<C> {
  readonly executor: "constant-vus";
  /** Number of virtual users. @default 1 */
  readonly vus?: number | Computed<number, C>;
  /** How long to keep starting iterations. Running ones may then finish within `gracefulStop`. */
  readonly duration: Duration | Computed<Duration, C>;
}

/** Closed model: the number of virtual users grows and shrinks in stages. */
export interface RampingVus<C> extends ScenarioBase<C> {
  readonly executor: "ramping-vus";
  /** How the number of virtual users changes. The scenario ends with the last stage. */
  readonly stages: Stages | Computed<Stages, C>;
  /** Virtual users at the start. @default 1 */
  readonly startVUs?: number | Computed<number, C>;
  /** How long an iteration may continue when its virtual user is ramped down. @default "30s" */
  readonly gracefulRampDown?: Duration | Computed<Duration, C>;
}

/** Open model: starts iterations on a fixed schedule, however slowly the target responds. */
export interface ConstantArrivalRate<C> extends ScenarioBase<C>, OpenModel<C> {
  readonly executor: "constant-arrival-rate";
  /** Iterations to start per `timeUnit`, across all workers. Must be greater than 0. */
  readonly rate: number | Computed<number, C>;
  /** How long to keep starting iterations. Running ones may then finish within `gracefulStop`. */
  readonly duration: Duration | Computed<Duration, C>;
}

/** Open model: starts iterations at a rate that changes in stages, however slowly the target responds. */
export interface RampingArrivalRate<C> extends ScenarioBase<C>, OpenModel<C> {
  readonly executor: "ramping-arrival-rate";
  /** How the rate changes. Targets are iterations per `timeUnit`. The scenario ends with the last stage. */
  readonly stages: Stages | Computed<Stages, C>;
  /** Iterations per `timeUnit` at the start. @default 0 */
  readonly startRate?: number | Computed<number, C>;
}

/** One stage of a ramp: from the previous target to `target`, in a straight line. */
export interface Stage {
  /** The length of the stage. With 0, the ramp jumps to `target`. */
  readonly duration: Duration;
  /** The target at the end of the stage: virtual users, or iterations per `timeUnit`. */
  readonly target: number;
}

/** The stages of a ramp. */
export type Stages = readonly Stage[];

export const arrivalKinds = ["uniform", "poisson"] as const;
export const busyActions = ["drop", "queue"] as const;

/** Options of both open models. */
export interface OpenModel<C> {
  /** The period that rates count in. @default "1s" */
  readonly timeUnit?: Duration | Computed<Duration, C>;
  /** Virtual users to create before the start; others are created when needed. @default 0 */
  readonly preAllocatedVUs?: number | Computed<number, C>;
  /** Maximum number of virtual users. @default 10_000 */
  readonly maxVUs?: number | Computed<number, C>;
  /**
   * `"uniform"` spreads iterations evenly. `"poisson"` starts them at random times, as independent users
   * arrive; the seed reproduces the times. @default "uniform"
   */
  readonly arrivals?: (typeof arrivalKinds)[number] | Computed<(typeof arrivalKinds)[number], C>;
  /**
   * The action if an iteration is due while all virtual users are busy: `"drop"` never starts it, `"queue"`
   * starts it once one is free. @default "drop"
   */
  readonly onBusy?: (typeof busyActions)[number] | Computed<(typeof busyActions)[number], C>;
}
