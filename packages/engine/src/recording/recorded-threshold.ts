import { parseMetricSelector } from "@bearhug/metrics/metric-selector";
import type { ValidatedThreshold } from "@bearhug/metrics/thresholds/read-threshold";
import { aggregationNames, operatorNames, unitNames } from "@bearhug/metrics/thresholds/threshold-language";
import { once, z } from "@bearhug/sdk/internal";

/**
 * Converts a threshold to its form in recordings, where its texts are `key` and `text`, and patterns are
 * their sources.
 */
export function writeThreshold({
  metric,
  expression,
  selector,
  condition,
  ...options
}: ValidatedThreshold): unknown {
  const filters = selector.filters.map(({ tag, operator, value }) => ({ tag, operator, value }));
  return {
    key: metric,
    metric: selector.metric,
    filters,
    expression: { text: expression, ...condition },
    text: expression,
    ...options,
  };
}

/** Created only when a recording is read, so that runs, which only write one, start sooner. */
export const recordedThresholdSchema: () => z.ZodType<ValidatedThreshold> = once(() => {
  const conditionSchema: z.ZodType<ValidatedThreshold["condition"]> = z.object({
    aggregation: z.union([
      z.object({ kind: z.enum(aggregationNames).exclude(["percentile"]) }),
      z.object({ kind: z.literal("percentile"), percentile: z.number().min(0).max(100) }),
    ]),
    operator: z.enum(operatorNames),
    bound: z.number(),
    unit: z.enum(unitNames).nullable(),
  });
  return z
    .object({
      key: z.string(),
      text: z.string(),
      expression: conditionSchema,
      abortOnFail: z.boolean(),
      delayAbortEvalMs: z.number().nonnegative(),
      windowMs: z.number().positive().nullable(),
      allowEmpty: z.boolean(),
    })
    .transform(({ key: metric, text, expression: condition, ...options }, context) => {
      try {
        return { metric, expression: text, selector: parseMetricSelector(metric), condition, ...options };
      } catch {
        context.addIssue("must have the key of a threshold");
        return z.NEVER;
      }
    });
});
