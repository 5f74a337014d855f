import { isBuiltInMetric } from "../metrics/built-in-metrics.ts";
import { selectorNameProblem } from "../validation/name-rules.ts";
import type { ProblemCollector } from "../validation/problem-collector.ts";
import { envSchema, metricDeclarationSchema } from "./test-schema.ts";
import type { ValidatedEnv, ValidatedMetric } from "./validated-test.ts";

const envName = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Reads the environment variables that a test declares: those that are invalid too, as undefined. */
export function readEnv(value: unknown, collector: ProblemCollector): Map<string, ValidatedEnv | undefined> {
  const declared = new Map<string, ValidatedEnv | undefined>();
  for (const [name, declaration] of collector.entriesOf(value ?? {}, ["env"]) ?? []) {
    const path = ["env", name];
    if (!envName.test(name)) {
      collector.add(path, "must be named with letters, digits and _, and not begin with a digit");
    }
    declared.set(name, collector.read(envSchema(name), declaration, path));
  }
  return declared;
}

/** Reads the metrics that a test declares: those that are invalid too, as undefined. */
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
    declared.set(name, collector.read(metricDeclarationSchema, declaration, path));
  }
  return declared;
}
