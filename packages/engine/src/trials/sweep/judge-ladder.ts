import type { SweepEnding, SweepTarget, TrialResult } from "@bearhug/sdk/result";

import { leastGoodShare } from "../least-good-share.ts";
import { findKnee } from "./find-knee.ts";
import { fitScalability } from "./fit-scalability.ts";
import { loadOf } from "./ladders.ts";

/** A ladder ends at a step with at least this share of failures. */
const mostFailures = 0.1;
/** A ladder ends when throughput stays below this share of its peak. */
const leastOfPeak = 0.8;
/** The target keeps up with a rate if it does at least this share of it. */
const leastOfRate = 0.9;
/** One step alone may be low by chance. */
const stepsInARow = 2;

/** Returns why a ladder goes no further after these steps; null if it does. */
export function whyLadderEnds(
  steps: readonly TrialResult[],
): Extract<SweepEnding, "generator" | "failures" | "throughput" | "rate"> | null {
  const last = steps.at(-1);
  if (last === undefined) return null;
  // A saturated generator explains all else.
  if (isGeneratorSaturated(last)) return "generator";
  if (hasFailed(last)) return "failures";
  const lately = steps.slice(-stepsInARow);
  if (lately.length < stepsInARow) return null;
  if (lately.every(fallsBehind)) return "rate";
  const peak = Math.max(...steps.map(({ goodRate }) => goodRate));
  return lately.every(({ goodRate }) => goodRate < peak * leastOfPeak) ? "throughput" : null;
}

/** True for a step of which nearly nothing succeeded. */
export function hasFailedWholly({ count, failedShare }: TrialResult): boolean {
  return count === 0 || failedShare > 1 - leastGoodShare;
}

/**
 * The load to try again after a step that failed nearly wholly, to see if the target is down or only overloaded: the lowest that
 * was served. Null if there is no question.
 */
export function loadToAskAgain(steps: readonly TrialResult[]): number | null {
  const last = steps.at(-1);
  const served = steps.find((step) => !hasFailedWholly(step));
  return last === undefined || served === undefined || !hasFailedWholly(last) ? null : loadOf(served);
}

/** The findings about a target from the steps of its ladder. Steps that measured the generator, or failures, are left out. */
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
  return count === 0 || failedShare >= mostFailures;
}

function fallsBehind({ offeredRate, iterationRate }: TrialResult): boolean {
  return offeredRate !== null && iterationRate < offeredRate * leastOfRate;
}
