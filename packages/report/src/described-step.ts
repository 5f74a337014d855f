import type { TestResult } from "@bearhug/sdk";
import type { TrialResult } from "@bearhug/sdk/result";

import { loadOfStep } from "./model/sweep.ts";

/** The step of a sweep that the rest of its document describes; undefined for another run. */
export function describedStep({ sweep }: TestResult): TrialResult | undefined {
  const { targets = [], described = null } = sweep ?? {};
  const target = targets.find(({ name }) => name === described?.target);
  return target?.steps.find((step) => loadOfStep(step) === described?.load);
}

/** The requests a second of a run: of a step of a sweep as its table says, where waiting for the last responses does not count. */
export function requestRate(result: TestResult): number | null {
  const step = describedStep(result);
  if (step?.operation === "request") return step.rate;
  const made = result.metrics["http_reqs"];
  return made?.type === "counter" ? made.values.rate : null;
}

/** The bytes a second that a run received: of a step of a sweep as its table says. */
export function receivedRate(result: TestResult): number | null {
  const step = describedStep(result);
  if (step !== undefined) return step.receivedRate;
  const received = result.metrics["data_received"];
  return received?.type === "counter" ? received.values.rate : null;
}

/** The metric whose percentiles stand for a run: of a step of a sweep that of its table, which is the time that users waited. */
export function timesMetric(result: TestResult): string {
  const step = describedStep(result);
  if (step === undefined) return "http_req_duration";
  return step.operation === "request" ? "http_req_response_time" : "iteration_response_time";
}

/** The name of a run for its title: that of a sweep names all its targets, and not only the best one's. */
export function titleOf({ test, sweep }: TestResult): string {
  if (sweep === undefined || sweep.targets.length < 2) return test.name;
  return `Sweep of ${new Intl.ListFormat("en").format(sweep.targets.map(({ name }) => name))}`;
}
