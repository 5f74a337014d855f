import type { BuiltInMetrics } from "./built-in-metrics.ts";
import type { Context, SetupContext, TeardownContext } from "./context.ts";
import type { Duration } from "./duration.ts";
import type { FeedDeclaration, FeedTypes } from "./feed.ts";
import type { HttpOptions } from "./http-options.ts";
import type { MetricDeclaration, MetricTypes } from "./metric.ts";
import type { Scenario } from "./scenario.ts";
import type { AllMetrics, ThresholdByMetricType, ThresholdsAt } from "./threshold.ts";
import type { MetricType } from "./built-in-metrics.ts";

/** An environment variable that a test reads. It must be set, unless it has a default or is optional. */
export interface EnvDeclaration {
  /** Its value where it isn't set. */
  readonly default?: string;
  /**
   * True for a variable that the test can do without. Where it is not set, or set to nothing, its value is "", and the
   * run says so once. @default false
   */
  readonly optional?: boolean;
  /**
   * Whether its value is masked wherever bearhug writes something.
   * Values of variables whose name says token, secret, password or key always are. @default false
   */
  readonly secret?: boolean;
  /** Shown where it is missing. */
  readonly description?: string;
}

/** What `data` is when no `setup` stands above `scenarios`: TypeScript infers a literal from top to bottom. */
export interface NoSetupAboveScenarios {
  readonly "write setup above scenarios, or annotate its parameter: SetupContext": never;
}

/** Refuses metrics whose names are taken, with a sentence. */
type BuiltInNamesRefused<M> = string extends keyof M
  ? unknown
  : { readonly [Name in keyof M & keyof BuiltInMetrics]: "this name belongs to a built-in metric" };

/**
 * What `defineTest` is given, with everything inferred: `D` what `setup` returns, `M` the test's own metrics,
 * `S` the scenarios' names, `K` the keys of thresholds, `E` the names of environment variables, `F` the rows of feeds.
 */
export interface TestDefinition<
  D,
  M extends MetricTypes,
  S extends string,
  K extends string,
  E extends string,
  F extends FeedTypes,
> {
  /** What the test is called in reports. @default the file's name */
  readonly name?: string;
  /** What relative addresses are relative to; its host may be contacted. */
  readonly baseUrl?: string;
  /** Other hosts that may be contacted, such as `"api.example.com"` or `"localhost:8080"`. */
  readonly allowHosts?: readonly string[];
  /**
   * Further hosts of the same site, such as `"cdn.example.com"`: they may be contacted as those of `allowHosts`, and with
   * `--target` requests to them go to the target, too.
   */
  readonly siteHosts?: readonly string[];
  /**
   * Let scenarios contact hosts that the test does not name, around `http`: with fetch, node:http, a package or a
   * socket. Otherwise such connections fail with `HOST_NOT_ALLOWED`. Either way nothing of this traffic is measured, and
   * the result names it. Setup and teardown may contact any host. @default false
   */
  readonly allowUnmeasured?: boolean;
  /** How requests are sent, in setup and teardown too. A scenario's own options replace these one by one. */
  readonly http?: HttpOptions;
  /** The environment variables that the test reads. */
  readonly env?: { readonly [Name in E]: EnvDeclaration };
  /** The test's own metrics. */
  readonly metrics?: { readonly [Name in keyof M]: MetricDeclaration<M[Name]> } & BuiltInNamesRefused<
    NoInfer<M>
  >;
  /** Data for the scenarios, row by row: files read with `csv`, `json` and `ndjson`, or lists. */
  readonly feeds?: { readonly [Name in keyof F]: FeedDeclaration<F[Name]> };
  /** Runs once before the load. What it returns is every iteration's `data`; it must be structured-clonable. Stands above `scenarios`. */
  readonly setup?: (context: SetupContext<NoInfer<E>>) => D | Promise<D>;
  /** The longest time for `setup`. @default "60s" */
  readonly setupTimeout?: Duration;
  /** Runs once after the load, also after an interrupted one. */
  readonly teardown?: (context: TeardownContext<NoInfer<D>, NoInfer<E>>) => unknown;
  /** The longest time for `teardown`. @default "60s" */
  readonly teardownTimeout?: Duration;
  /**
   * The load's first part, which is applied but not measured: what is due in it counts in no metric and no threshold, and is
   * accounted apart. It is a part of the scenarios' own time, not added to it. @default 0
   */
  readonly warmup?: Duration;
  /** True for a test whose scenarios make no request on purpose: otherwise such a scenario fails the run. @default false */
  readonly expectNoRequests?: boolean;
  /** What is done and how often, by name. */
  readonly scenarios: {
    readonly [Name in S]: Scenario<Context<NoInfer<D>, NoInfer<M>, NoInfer<E>, NoInfer<F>>>;
  };
  // The second part is for completions: with the first alone the editor has no keys to offer.
  /** What must hold for the test to pass, by metric, with a tag filter where wanted: `"http_req_duration{page:home}"`. */
  readonly thresholds?: { readonly [Key in K]: ThresholdsAt<Key, NoInfer<M>, NoInfer<S>> } & {
    readonly [Name in keyof AllMetrics<NoInfer<M>>]?: unknown;
  };
}

/** The context of a scenario about which nothing is known at compile time. */
export type AnyContext = Context<unknown, MetricTypes, string, FeedTypes>;

/** A scenario about which nothing is known at compile time. */
export type AnyScenario = Scenario<AnyContext>;

/** A test about which nothing is known at compile time: what an engine works with. */
export interface AnyTestDefinition {
  readonly name?: string;
  readonly baseUrl?: string;
  readonly allowHosts?: readonly string[];
  readonly siteHosts?: readonly string[];
  readonly allowUnmeasured?: boolean;
  readonly http?: HttpOptions;
  readonly env?: Readonly<Record<string, EnvDeclaration>>;
  readonly metrics?: Readonly<Record<string, MetricDeclaration>>;
  readonly feeds?: Readonly<Record<string, FeedDeclaration>>;
  readonly setup?: (context: SetupContext<string>) => unknown;
  readonly setupTimeout?: Duration;
  readonly teardown?: (context: TeardownContext<unknown, string>) => unknown;
  readonly teardownTimeout?: Duration;
  readonly warmup?: Duration;
  readonly expectNoRequests?: boolean;
  readonly scenarios: Readonly<Record<string, AnyScenario>>;
  readonly thresholds?: Readonly<Record<string, readonly ThresholdByMetricType[MetricType][]>>;
}
