import { metricOfKey } from "@bearhug/metrics/thresholds/threshold-value";
import type { CheckResult, TestResult } from "@bearhug/sdk";

const judgedBy = [
  { failures: "http_req_failed", metrics: ["http_req_failed", "checks"] },
  { failures: "iteration_failed", metrics: ["iteration_failed", "checks"] },
] as const;

/**
 * True if requests or iterations failed without a threshold that judges them, if all requests of some name failed,
 * or if some check never passed. Sweeps, searches and overloads are exempt, because they overload the target on purpose; so is a
 * shard, because it is judged with the others.
 */
export function hasUnjudgedFailures(result: TestResult): boolean {
  const { metrics, accounting, thresholds, sweep, capacity, overload, shard } = result;
  if (sweep !== undefined || capacity !== undefined || overload !== undefined || shard !== null) return false;
  if (accounting.requests.some(({ succeeded, failed }) => succeeded === 0 && failed > 0)) return true;
  if (checksThatNeverPassed(result).length > 0) return true;
  const judged = new Set(thresholds.map(({ metric }) => metricOfKey(metric)));
  return judgedBy.some(({ failures, metrics: names }) => {
    const metric = metrics[failures];
    return metric?.type === "rate" && metric.values.passes > 0 && !names.some((name) => judged.has(name));
  });
}

/** Returns the checks that failed every time: among many others, they hardly change the rate of all checks. */
export function checksThatNeverPassed({ checks }: TestResult): CheckResult[] {
  return checks.filter(({ passes, fails }) => passes === 0 && fails > 0);
}
