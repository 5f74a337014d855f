import type { Duration } from "../duration/duration.ts";
import type { FromEnv } from "../env/env.ts";
import type { HttpOptions } from "../http-options/http-options.ts";
import type { Tags } from "../metrics/metric.ts";

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
export type Computed<T, C> = FromEnv<T, C extends { readonly env: infer Env } ? Env : never>;

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
