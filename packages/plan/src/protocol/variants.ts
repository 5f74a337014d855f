import type { MetricDelta } from "@bearhug/metrics/accumulator";

import type { TurnRule } from "../pacing/turns.ts";

/** The variants of a run, and the rule by which they take turns. Plain data. */
export interface PlannedVariants {
  readonly rule: TurnRule;
  /** In the given order; the others are compared with the first. */
  readonly variants: readonly Variant[];
}

/** How the requests of one variant differ from the test's own. */
export interface Variant {
  readonly name: string;
  /** Alternating names and values. They replace the test's headers of the same names. */
  readonly headers: readonly string[];
  readonly paths: readonly ReplacedPath[];
  /** The origin of the site that its requests go to; absent for the test's own. */
  readonly target?: string;
}

/** A path that replaces another one. */
export interface ReplacedPath {
  /** The path to replace, with its query if that must match; null for any path. */
  readonly from: string | null;
  readonly to: string;
}

/**
 * Everything that a worker measured since its last snapshot in one variant's turn of a block,
 * without the changeover.
 */
export interface TurnDelta {
  readonly block: number;
  readonly variant: number;
  readonly metrics: Readonly<Record<string, MetricDelta>>;
}
