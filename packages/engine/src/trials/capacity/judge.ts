import { studentQuantile } from "@bearhug/metrics/quantiles";

import type { Estimate } from "./estimate.ts";
import type { Objective } from "./objective.ts";

export type TrialVerdict = "PASS" | "FAIL" | "UNDECIDED";

/** An objective's figure at one load, judged. */
export interface Judgement {
  readonly verdict: TrialVerdict;
  readonly value: number;
  /** The interval of the figure, with the confidence of the verdict. */
  readonly low: number;
  readonly high: number;
  readonly samples: number;
  readonly effectiveSamples: number;
}

/** The highest probability of a wrong verdict, however many times the load is judged again. */
const risk = 0.025;

/**
 * Judges an objective at one load. The first look, after the first trial at this load, spends three quarters
 * of the risk, and each further look a quarter of the one before, so that all looks together never spend more
 * than the whole.
 */
export function judgeEstimate(objective: Objective, estimate: Estimate, look: number): Judgement {
  const quantile = -studentQuantile(risk * 0.75 * 0.25 ** (look - 1), estimate.spreadDegrees);
  const [low, high] = intervalOf(objective, estimate, quantile);
  const { value, samples } = estimate;
  const effectiveSamples = samples / estimate.designEffect;
  const verdict = high < objective.bound ? "PASS" : low > objective.bound ? "FAIL" : "UNDECIDED";
  return { verdict, value, low, high, samples, effectiveSamples };
}

function intervalOf(
  { judges }: Objective,
  { value, samples, designEffect, standardError }: Estimate,
  quantile: number,
): readonly [low: number, high: number] {
  if (judges === "mean") {
    return [value - quantile * standardError, value + quantile * standardError];
  }
  // Wilson's score interval, which is also valid for shares near 0.
  const effectiveSamples = samples / designEffect;
  const weight = quantile ** 2 / effectiveSamples;
  const centre = (value + weight / 2) / (1 + weight);
  const reach = (quantile / (1 + weight)) * Math.sqrt((value * (1 - value) + weight / 4) / effectiveSamples);
  return [Math.max(0, centre - reach), Math.min(1, centre + reach)];
}
