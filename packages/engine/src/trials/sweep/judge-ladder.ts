import { amountOf } from "@bearhug/metrics/results/load";
import type { SweepEnding, SweepTarget, TrialResult } from "@bearhug/sdk/result";

import { minGoodShare, type TriedLoad } from "../collapse.ts";
import { findKnee } from "./find-knee.ts";
import { fitScalability } from "./fit-scalability.ts";

/** A ladder ends at a step with at least this share of failures. */
const maxFailedShare = 0.1;
/** A ladder ends when throughput stays below this share of its peak. */
const minShareOfPeak = 0.8;
/** The target keeps up with a rate if it achieves at least this share of it. */
const minShareOfRate = 0.9;
/** The number of consecutive low steps that end a ladder: a single one may be chance. */
const stepsInARow = 2;

/** Returns why a ladder ends after these steps; null if it continues. */
export function whyLadderEnds(
  steps: readonly TrialResult[],
): Extract<SweepEnding, "generator" | "failures" | "throughput" | "rate"> | null {
  const last = steps.at(-1);
  if (last === undefined) return null;
  // A saturated generator explains everything else.
  if (isGeneratorSaturated(last)) return "generator";
  if (hasFailed(last)) return "failures";
  const latest = steps.slice(-stepsInARow);
  if (latest.length < stepsInARow) return null;
  if (latest.every(fallsBehind)) return "rate";
  const peak = Math.max(...steps.map(({ goodRate }) => goodRate));
  return latest.every(({ goodRate }) => goodRate < peak * minShareOfPeak) ? "throughput" : null;
}

/** True for a step in which almost nothing succeeded. */
export function hasCollapsed({ count, failedShare }: TrialResult): boolean {
  return count === 0 || failedShare > 1 - minGoodShare;
}

/**
 * Returns the loads of a ladder, to judge if its target is down: it may have gone down in the middle of a step
 * of which a part succeeded.
 */
export function triedLoads(steps: readonly TrialResult[]): TriedLoad[] {
  return steps.map((step) => ({ load: amountOf(step.load), hasCollapsed: hasFailed(step) }));
}

/**
 * Returns the findings about a target from the steps of its ladder, without steps that measured the generator
 * or failures.
 */
export function judgeLadder(steps: readonly TrialResult[]): Pick<SweepTarget, "knee" | "scalability"> {
  const judged = steps.filter((step) => !isGeneratorSaturated(step) && !hasFailed(step));
  return {
    knee: findKnee(judged),
    scalability: fitScalability(judged),
  };
}

function isGeneratorSaturated({ generator }: TrialResult): boolean {
  return generator.verdict === "saturated";
}

function hasFailed({ count, failedShare }: TrialResult): boolean {
  return count === 0 || failedShare >= maxFailedShare;
}

function fallsBehind({ offeredRate, iterationRate }: TrialResult): boolean {
  return offeredRate !== null && iterationRate < offeredRate * minShareOfRate;
}
