import { amountOf } from "@bearhug/metrics/results/load";
import type { TestResult } from "@bearhug/sdk";
import type { TrialResult } from "@bearhug/sdk/result";

/** Returns the step of a sweep that the rest of the result describes; undefined if the run is no sweep. */
export function describedStep({ sweep }: TestResult): TrialResult | undefined {
  const { targets = [], described = null } = sweep ?? {};
  const target = targets.find(({ name }) => name === described?.target);
  return target?.steps.find((step) => amountOf(step.load) === described?.load);
}

/**
 * Returns the requests per second of a run. For a sweep, that is the rate in its table of steps, which does
 * not count the wait for the last responses.
 */
export function requestRate(result: TestResult): number | null {
  const step = describedStep(result);
  if (step?.operation === "request") return step.rate;
  const made = result.metrics["http_reqs"];
  return made?.type === "counter" ? made.values.rate : null;
}

/** Returns the bytes per second that a run received; for a sweep, as in its table of steps. */
export function receivedRate(result: TestResult): number | null {
  const step = describedStep(result);
  if (step !== undefined) return step.receivedRate;
  const received = result.metrics["data_received"];
  return received?.type === "counter" ? received.values.rate : null;
}

/**
 * Returns the metric whose percentiles describe a run; for a sweep, that of its table of steps: the time that
 * users waited.
 */
export function timesMetric(result: TestResult): string {
  const step = describedStep(result);
  if (step === undefined) return "http_req_duration";
  return step.operation === "request" ? "http_req_response_time" : "iteration_response_time";
}

/** Returns the title of a run. A sweep names all its targets, not only the best one. */
export function titleOf({ test, sweep }: TestResult): string {
  if (sweep === undefined || sweep.targets.length < 2) return test.name;
  return `Sweep of ${new Intl.ListFormat("en").format(sweep.targets.map(({ name }) => name))}`;
}
