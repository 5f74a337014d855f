import { parseThreshold, type ValidatedThreshold } from "../../src/thresholds/read-threshold.ts";

/** Returns a threshold as validation would. */
export function thresholdOf(
  metric: string,
  expression: string,
  changes: Partial<ValidatedThreshold> = {},
): ValidatedThreshold {
  const options = { abortOnFail: false, delayAbortEvalMs: 0, windowMs: null, allowEmpty: false };
  return { ...parseThreshold(metric, expression), ...options, ...changes };
}
