import type { ValidatedMetric } from "@bearhug/metrics/metric-catalog";
import type { EnvValue } from "@bearhug/sdk";

import type { ValidatedFeed } from "../definition/feed-options.ts";
import type { ValidatedHttp } from "../http-options/validated-http.ts";
import type { ValidatedScenario } from "../executors/validated-scenario.ts";
import type { OverloadLoad } from "./overload-load.ts";
import type { PlannedVariants } from "./variants.ts";
import type { ClientKind } from "../clients/client-kind.ts";
import type { Stripe } from "../pacing/stripe.ts";

/** Options of the command line that workers, or the result, need as they were given. */
export interface PlannedOptions {
  readonly seed: number;
  /**
   * Connections of all workers together, which their virtual users share; null: as each scenario's `http`
   * specifies.
   */
  readonly sharedConnections: number | null;
  /** The run ends gracefully when this much data was received; null for no limit. */
  readonly maxDataBytes: number | null;
  /** Absent if none of these options was given. */
  readonly judging?: JudgingOptions;
}

/** Everything that was decided about a run before it began: the same for all workers. Plain data. */
export interface RunPlan extends PlannedOptions {
  readonly testName: string;
  readonly baseUrl: string | null;
  /** Allowed hosts besides the host of `baseUrl`. */
  readonly allowHosts: readonly string[];
  /** True if scenarios may contact other hosts without using bearhug's clients. */
  readonly allowUnmeasured: boolean;
  /**
   * Hosts of the site that the target replaces: requests to them go to the origin of `baseUrl`.
   * Null without a target.
   */
  readonly movedHosts: ReplacedHosts | null;
  /** The options of setup and teardown; each scenario has its own. Certificates and keys are PEM, no longer paths. */
  readonly http: ValidatedHttp;
  readonly env: Readonly<Record<string, EnvValue>>;
  /** Values that must not be written anywhere. */
  readonly secrets: readonly string[];
  /** The kinds of clients that virtual users have. */
  readonly clients: readonly ClientKind[];
  readonly metrics: Readonly<Record<string, ValidatedMetric>>;
  readonly scenarios: readonly PlannedScenario[];
  /**
   * Detail metrics that thresholds filter by more than scenario and page: their series keep all tags. Absent
   * for none.
   */
  readonly keptDetails?: readonly string[];
  /** Tags that are put on every sample. */
  readonly tags: Readonly<Record<string, string>>;
  readonly workers: number;
  /** The shard of this machine; absent if it applies the whole load. */
  readonly shard?: Stripe;
  /** Work that is due within this time after the start is not measured; 0 for none. */
  readonly warmupMs: number;
  /** Set if the test makes a state for each virtual user; absent otherwise. */
  readonly hasVuState?: true;
  /** Absent without variants. */
  readonly variants?: PlannedVariants;
  /** Absent for a load that stays at its rate. */
  readonly overload?: OverloadLoad;
}

/** Options of the command line for the rules, besides thresholds, that judge a run. */
export interface JudgingOptions {
  /**
   * The share of requests or iterations that may fail, 0–1. If absent, it is 5 % unless a
   * threshold judges failures.
   */
  readonly maxFailed?: number;
  /** A saturated load generator does not fail the run. */
  readonly allowsSaturated?: true;
}

export interface ReplacedHosts {
  /** Hosts of the test's own `baseUrl`. */
  readonly base: readonly string[];
  /** Its `siteHosts`. */
  readonly further: readonly string[];
}

export interface PlannedScenario {
  readonly scenario: ValidatedScenario;
  /** Its load in words. */
  readonly description: string;
  /** The scenario's n-th iteration has the test-wide index offset + n · stride. */
  readonly iterationIndexes: { readonly offset: number; readonly stride: number };
  /** The scenario's first VU has the test-wide id offset + 1. */
  readonly vuIdOffset: number;
  /** The feeds that it uses. */
  readonly feeds: readonly FeedShare[];
}

/**
 * The rows of one feed that one scenario takes: its n-th iteration or virtual user takes the row at offset +
 * n · stride.
 */
export interface FeedShare {
  readonly feed: string;
  readonly rows: number;
  readonly order: ValidatedFeed["order"];
  readonly per: ValidatedFeed["per"];
  readonly atEnd: ValidatedFeed["atEnd"];
  readonly offset: number;
  readonly stride: number;
}
