import type { ValidatedThreshold } from "./read-threshold.ts";
import { evaluateThreshold } from "./threshold-language.ts";
import type { RunningTotals } from "./running-totals.ts";
import type { ThresholdWindows } from "./windows.ts";

/** The samples so far, which thresholds are evaluated on during the run. */
export interface SamplesSoFar {
  readonly totals: RunningTotals;
  readonly windows: ThresholdWindows;
}

/**
 * Returns the first threshold that ends the run early: it has `abortOnFail`, is past its delay,
 * has samples and failed.
 */
export function findAbortingThreshold(
  thresholds: readonly ValidatedThreshold[],
  { totals, windows }: SamplesSoFar,
  elapsedMs: number,
): ValidatedThreshold | undefined {
  return thresholds.find((threshold) => {
    if (!threshold.abortOnFail || elapsedMs < threshold.delayAbortEvalMs) return false;
    if (threshold.windowMs !== null) return windows.hasFailed(threshold);
    const { passed, samples } = evaluateThreshold(threshold, totals.of(threshold), elapsedMs);
    return samples > 0 && !passed;
  });
}
