import type { MetricDelta } from "@bearhug/metrics/accumulator";

import type { TurnRule } from "../pacing/turns.ts";

/** The variants of a run, and the rule by which they take turns. Plain data. */
export interface PlannedVariants {
  readonly rule: TurnRule;
  /** In the order given; the first is what the others are compared with. */
  readonly variants: readonly Variant[];
}

/** How the requests of one variant differ from the test's own. */
export interface Variant {
  readonly name: string;
  /** Names and values in turn. They replace the test's headers of the same names. */
  readonly headers: readonly string[];
  readonly paths: readonly ReplacedPath[];
  /** The origin of the site that its requests go to; absent for the test's own. */
  readonly target?: string;
}

/** A path that takes the place of another one. */
export interface ReplacedPath {
  /** With its query, if it has one to match; null for any path. */
  readonly from: string | null;
  readonly to: string;
}

/** All that a worker measured since its last snapshot in one variant's turn of a block, without the changeover. */
export interface TurnDelta {
  readonly block: number;
  readonly variant: number;
  readonly metrics: Readonly<Record<string, MetricDelta>>;
}
