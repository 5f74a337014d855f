import { parseMetricSelector, type ValidatedThreshold } from "@bearhug/sdk";

import type { SeriesStore } from "../metrics/series-store.ts";
import { evaluateThreshold } from "./evaluate.ts";

/** The first threshold that ends the run early: `abortOnFail`, past its delay, judged on samples and failed. */
export function findAbortingThreshold(
  thresholds: readonly ValidatedThreshold[],
  store: SeriesStore,
  elapsedMs: number,
): ValidatedThreshold | undefined {
  return thresholds.find((threshold) => {
    if (!threshold.abortOnFail || elapsedMs < threshold.delayAbortEvalMs) return false;
    const { passed, samples } = evaluateThreshold(
      threshold,
      store.select(parseMetricSelector(threshold.key)),
      elapsedMs,
    );
    return samples > 0 && !passed;
  });
}
