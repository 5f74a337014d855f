import type { TestResult } from "@bearhug/sdk";
import type { DescribedStep, SweepEnding, SweepResult, TrialResult } from "@bearhug/sdk/result";

import type { RunTrial } from "../trial.ts";

/** A target of a sweep, and how to load it. */
export interface LadderTarget {
  readonly name: string;
  /** Null where the test's own is used. */
  readonly address: string | null;
  readonly runTrial: RunTrial;
}

/** A sweep as it was asked for. */
export interface SweepPlan extends Pick<SweepResult, "loadUnit" | "settleMs" | "measureMs" | "conditions"> {
  /** In the order in which they are applied: rising. */
  readonly loads: readonly number[];
  readonly targets: readonly LadderTarget[];
  readonly seed: number;
}

/** The steps of one target so far. */
export interface Ladder {
  readonly steps: readonly TrialResult[];
  /** Null while it goes on. */
  readonly ending: SweepEnding | null;
  /** The lowest load that was served, tried again after a last step that failed nearly wholly. */
  readonly retried?: TrialResult;
}

/** A step, and the result of its run. */
export interface DescribedRun extends DescribedStep {
  readonly result: TestResult;
  readonly goodRate: number;
}

/** A sweep as it stands. */
export interface SweepState {
  /** In the order of the targets. */
  readonly ladders: readonly Ladder[];
  readonly described: DescribedRun | null;
}

/** The load of a step, as a number in the unit of its sweep. */
export function loadOf({ load }: TrialResult): number {
  return load.kind === "vus" ? load.vus : load.perSecond;
}

/** A ladder with one step more, in the order of their loads. */
export function addStep(steps: readonly TrialResult[], step: TrialResult): readonly TrialResult[] {
  return [...steps, step].sort((left, right) => loadOf(left) - loadOf(right));
}
