import type { BuiltInMetrics } from "../metrics/built-in-metrics.ts";
import type { Context, SetupContext, TeardownContext, VuStateContext } from "../context/context.ts";
import type { Duration } from "../duration/duration.ts";
import type { EnvDeclaration, EnvTypes, EnvValue, EnvValues, FromEnv } from "../env/env.ts";
import type { FeedDeclaration, FeedTypes } from "../feeds/feed.ts";
import type { HttpOptions } from "../http-options/http-options.ts";
import type { StandardGauge } from "../metrics/monitored-gauges.ts";
import type { MetricDeclaration, MetricTypes, Tags } from "../metrics/metric.ts";
import type { Scenario } from "../scenario/scenario.ts";
import type { Summarize } from "./summary.ts";
import type { AllMetrics, ThresholdList, ThresholdsAt } from "../thresholds/threshold.ts";

/**
 * The type of `data` if TypeScript could not infer it. It infers the types of a literal from top to bottom,
 * and nothing from functions if another part of the literal has an error.
 */
export interface UnknownData {
  readonly "fix other errors first; then write setup above scenarios, or annotate its parameter: SetupContext": never;
}

/** Rejects names of built-in metrics, with a sentence that the compiler prints. */
type BuiltInNamesRefused<M> = string extends keyof M
  ? unknown
  : { readonly [Name in keyof M & keyof BuiltInMetrics]: "this name belongs to a built-in metric" };

/**
 * The argument of `defineTest`, with everything inferred: `D` the value that `setup` returns, `M` the test's
 * own metrics, `S` the scenarios' names, `K` the keys of thresholds, `E` the types of environment variables,
 * `F` the rows of feeds, `U` the state of a virtual user. Options marked "may be a function" can be computed
 * from the environment variables: `({ env }) => env.USERS`.
 */
export interface TestDefinition<
  D,
  M extends MetricTypes,
  S extends string,
  K extends string,
  E extends EnvTypes,
  F extends FeedTypes,
  U,
> {
  /** The test's name in reports. @default the file's name */
  readonly name?: string;
  /** Tags of every sample of the test. `--grep` selects tests by them, too. @default none */
  readonly tags?: Tags;
  /**
   * The base of relative URLs. The test may contact its host. May be a function.
   * @default none: every URL must be absolute
   */
  readonly baseUrl?: string | FromEnv<string, EnvValues<NoInfer<E>>>;
  /**
   * Other hosts that the test may contact, such as `"api.example.com"` or `"localhost:8080"`. May be a
   * function. @default none
   */
  readonly allowHosts?: readonly string[] | FromEnv<readonly string[], EnvValues<NoInfer<E>>>;
  /**
   * Further hosts of the same site, such as `"cdn.example.com"`. The test may contact them, as those of
   * `allowHosts`; with `--target`, requests to them go to the target, too. May be a function. @default none
   */
  readonly siteHosts?: readonly string[] | FromEnv<readonly string[], EnvValues<NoInfer<E>>>;
  /**
   * Lets scenarios contact hosts that the test does not name with fetch, node:http, a package or a socket instead of
   * `http`. Otherwise such connections fail with `HOST_NOT_ALLOWED`. This traffic is never measured; the result
   * lists it. Setup and teardown may contact any host. @default false
   */
  readonly allowUnmeasured?: boolean;
  /**
   * How requests are sent, also in setup and teardown. A scenario's options override these one by one. May be
   * a function.
   */
  readonly http?: HttpOptions | FromEnv<HttpOptions, EnvValues<NoInfer<E>>>;
  /** The environment variables that the test reads. */
  readonly env?: { readonly [Name in keyof E]: EnvDeclaration<E[Name]> };
  /** The test's own metrics. */
  readonly metrics?: { readonly [Name in keyof M]: MetricDeclaration<M[Name]> } & BuiltInNamesRefused<
    NoInfer<M>
  >;
  /** Data for the scenarios, row by row: files read with `csv`, `json` and `ndjson`, or arrays. */
  readonly feeds?: { readonly [Name in keyof F]: FeedDeclaration<F[Name]> };
  /**
   * Runs once before the load. Each iteration receives the returned value as `data`; it must be
   * structured-cloneable. Write `setup` above `scenarios`. If it throws, the run ends without load.
   */
  readonly setup?: (context: SetupContext<EnvValues<NoInfer<E>>>) => D | Promise<D>;
  /** The timeout of `setup`. @default "60s" */
  readonly setupTimeout?: Duration;
  /**
   * Creates the `vu.state` of each virtual user before its first iteration, and is awaited: use it to log in
   * once. Its time and its requests count in no metric. If it fails, the iteration fails, and the next one
   * tries again. @default an empty object
   */
  readonly vuState?: (
    context: VuStateContext<NoInfer<D>, EnvValues<NoInfer<E>>, NoInfer<F>>,
  ) => U | Promise<U>;
  /** Runs once after the load, even if it was interrupted. */
  readonly teardown?: (context: TeardownContext<NoInfer<D>, EnvValues<NoInfer<E>>>) => unknown;
  /** The timeout of `teardown`. @default "60s" */
  readonly teardownTimeout?: Duration;
  /**
   * Returns the summary of `bearhug run`, after the verdict and the reports: text in place of the default
   * summary, and files. If it fails, bearhug prints the default summary.
   */
  readonly summary?: Summarize;
  /** The timeout of `summary`. @default "60s" */
  readonly summaryTimeout?: Duration;
  /**
   * The first part of the load, which is applied but not measured: it counts in no metric and no threshold,
   * and is accounted separately. It is part of the scenarios' duration, not added to it. May be a function.
   * @default 0
   */
  readonly warmup?: Duration | FromEnv<Duration, EnvValues<NoInfer<E>>>;
  /** Set this if scenarios make no requests on purpose; otherwise such a scenario fails the run. @default false */
  readonly expectNoRequests?: boolean;
  /**
   * Set this if requests may fail or the target may go away on purpose, as in a failover test. Thresholds
   * still apply, but the rules that fail a run because the target fails, hangs or is gone do not.
   * @default false
   */
  readonly expectFailures?: boolean;
  /** The scenarios by name: what the test does, and how often. */
  readonly scenarios: {
    readonly [Name in S]: Scenario<
      Context<NoInfer<D>, NoInfer<M>, EnvValues<NoInfer<E>>, NoInfer<F>, NoInfer<U>>
    >;
  };
  // The second part of the type is for completions: the first alone gives the editor no keys to offer.
  /**
   * The thresholds by metric, optionally with a tag filter: `"http_req_duration{page:home}"`.
   * Each array may be a function, which may return an empty array.
   */
  readonly thresholds?: {
    readonly [Key in K]:
      | ThresholdsAt<Key, NoInfer<M>, NoInfer<S>>
      | FromEnv<ThresholdsAt<Key, NoInfer<M>, NoInfer<S>>, EnvValues<NoInfer<E>>>;
  } & {
    readonly [Name in keyof AllMetrics<NoInfer<M>> | `server.${StandardGauge}`]?: unknown;
  };
}

/** The values of environment variables whose names and types are not known at compile time. */
export type AnyEnv = Readonly<Record<string, EnvValue>>;

/** The context of a scenario whose types are not known at compile time. */
export type AnyContext = Context<unknown, MetricTypes, AnyEnv, FeedTypes>;

/** A test whose types are not known at compile time, as the engine works with it. */
export interface AnyTestDefinition {
  readonly name?: string;
  readonly tags?: Tags;
  readonly baseUrl?: string | FromEnv<string, AnyEnv>;
  readonly allowHosts?: readonly string[] | FromEnv<readonly string[], AnyEnv>;
  readonly siteHosts?: readonly string[] | FromEnv<readonly string[], AnyEnv>;
  readonly allowUnmeasured?: boolean;
  readonly http?: HttpOptions | FromEnv<HttpOptions, AnyEnv>;
  readonly env?: Readonly<Record<string, EnvDeclaration>>;
  readonly metrics?: Readonly<Record<string, MetricDeclaration>>;
  readonly feeds?: Readonly<Record<string, FeedDeclaration>>;
  readonly vuState?: (context: VuStateContext<unknown, AnyEnv, FeedTypes>) => unknown;
  readonly setup?: (context: SetupContext<AnyEnv>) => unknown;
  readonly setupTimeout?: Duration;
  readonly teardown?: (context: TeardownContext<unknown, AnyEnv>) => unknown;
  readonly teardownTimeout?: Duration;
  readonly summary?: Summarize;
  readonly summaryTimeout?: Duration;
  readonly warmup?: Duration | FromEnv<Duration, AnyEnv>;
  readonly expectNoRequests?: boolean;
  readonly expectFailures?: boolean;
  readonly scenarios: Readonly<Record<string, Scenario<AnyContext>>>;
  readonly thresholds?: Readonly<Record<string, ThresholdList | FromEnv<ThresholdList, AnyEnv>>>;
}
