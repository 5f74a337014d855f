import type { ValidatedMetric } from "@bearhug/metrics/metric-catalog";
import { z, type ProblemCollector, isBuiltInMetric, metricTypes, once } from "@bearhug/sdk/internal";

import { selectorNameProblem } from "../validation/name-rules.ts";
import { optionsObject } from "../validation/option-schemas.ts";

const metricDeclarationSchema: () => z.ZodType<ValidatedMetric & { readonly unit: "ms" | null }> = once(() =>
  optionsObject("a metric", {
    type: z.enum(metricTypes),
    time: z.boolean().default(false),
  })
    .refine(({ type, time }) => !time || type === "trend" || type === "gauge", {
      path: ["time"],
      error: "is for trends and gauges only",
    })
    .transform(({ type, time }) => ({ type, unit: time ? "ms" : null })),
);

/** Reads the metrics that a test declares. Invalid ones are undefined. */
export function readMetrics(
  value: unknown,
  collector: ProblemCollector,
): Map<string, ValidatedMetric | undefined> {
  const declared = new Map<string, ValidatedMetric | undefined>();
  for (const [name, declaration] of collector.entriesOf(value ?? {}, ["metrics"]) ?? []) {
    const path = ["metrics", name];
    const nameProblem = isBuiltInMetric(name)
      ? "has the name of a built-in metric: choose another"
      : selectorNameProblem(name);
    if (nameProblem !== undefined) collector.add(path, nameProblem);
    declared.set(name, collector.read(metricDeclarationSchema(), declaration, path));
  }
  return declared;
}
