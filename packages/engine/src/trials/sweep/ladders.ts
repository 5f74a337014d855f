import { amountOf } from "@bearhug/metrics/results/load";
import type { TestResult } from "@bearhug/sdk";
import type { DescribedStep, SweepEnding, SweepResult, TrialResult } from "@bearhug/sdk/result";

import type { RunTrial } from "../trial.ts";

/** A target of a sweep, and how to load it. */
export interface LadderTarget {
  readonly name: string;
  /** Null if the test's own address is used. */
  readonly address: string | null;
  readonly runTrial: RunTrial;
}

/** A requested sweep. */
export interface SweepPlan extends Pick<SweepResult, "loadUnit" | "settleMs" | "measureMs" | "conditions"> {
  /** In the order in which they are applied: ascending. */
  readonly loads: readonly number[];
  readonly targets: readonly LadderTarget[];
  readonly seed: number;
}

/** The steps of one target so far. */
export interface Ladder {
  readonly steps: readonly TrialResult[];
  /** Null while it is in progress. */
  readonly ending: SweepEnding | null;
  /** A retry of the lowest load that was served, after a last step that failed. */
  readonly retried?: TrialResult;
}

/** A step, and the result of its run. */
export interface DescribedRun extends DescribedStep {
  readonly result: TestResult;
  readonly goodRate: number;
}

/** The current state of a sweep. */
export interface SweepState {
  /** In the order of the targets. */
  readonly ladders: readonly Ladder[];
  readonly described: DescribedRun | null;
}

/** Returns the steps with another one, ordered by load. */
export function addStep(steps: readonly TrialResult[], step: TrialResult): readonly TrialResult[] {
  return [...steps, step].sort((left, right) => amountOf(left.load) - amountOf(right.load));
}
