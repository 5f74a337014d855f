import { parseMetricSelector, parseThreshold, type ValidatedThreshold } from "@bearhug/sdk/internal";

/** A threshold as validation leaves it. */
export function thresholdOf(
  key: string,
  text: string,
  changes: Partial<ValidatedThreshold> = {},
): ValidatedThreshold {
  const { metric, filters } = parseMetricSelector(key);
  return {
    key,
    metric,
    filters: filters.map(({ tag, operator, value }) => ({ tag, operator, value })),
    expression: parseThreshold(text),
    text,
    abortOnFail: false,
    delayAbortEvalMs: 0,
    windowMs: null,
    allowEmpty: false,
    ...changes,
  };
}
