import { matchesTags, type MetricSelector, parseMetricSelector } from "@bearhug/metrics/metric-selector";
import { metricOfKey } from "@bearhug/metrics/thresholds/threshold-value";
import type { CheckResult, TestResult } from "@bearhug/sdk";

const judgedBy = [
  { failures: "http_req_failed", metrics: ["http_req_failed", "checks"] },
  { failures: "iteration_failed", metrics: ["iteration_failed", "checks"] },
] as const;

/**
 * True if requests or iterations failed without a threshold that judges them, if all requests of some name
 * failed, if a check without a threshold of its own never passed, or if the load may have run on nothing
 * useful. Sweeps, searches and overloads are exempt, because they overload the target on purpose; so is a
 * shard, because it is judged with the others.
 */
export function hasUnjudgedFailures(result: TestResult): boolean {
  const { metrics, accounting, thresholds, sweep, capacity, overload, shard } = result;
  if (sweep !== undefined || capacity !== undefined || overload !== undefined || shard !== null) return false;
  if (accounting.requests.some(({ succeeded, failed }) => succeeded === 0 && failed > 0)) return true;
  if (checksThatNeverPassed(result).length > 0 || wasPreparedInVain(result)) return true;
  const judged = new Set(thresholds.map(({ metric }) => metricOfKey(metric)));
  return judgedBy.some(({ failures, metrics: names }) => {
    const metric = metrics[failures];
    return metric?.type === "rate" && metric.values.passes > 0 && !names.some((name) => judged.has(name));
  });
}

/**
 * True if no request of `setup` or `vuState` succeeded. This is no failure: an account that exists already is
 * as good as a new one.
 */
export function wasPreparedInVain({ accounting: { setup, vuState } }: TestResult): boolean {
  return [setup, vuState].some((stage) => {
    const { requests = [] } = stage ?? {};
    return requests.some(({ failed }) => failed > 0) && requests.every(({ succeeded }) => succeeded === 0);
  });
}

/**
 * Returns the checks that failed every time and have no threshold of their own: among many others, they hardly
 * change the rate of all checks.
 */
export function checksThatNeverPassed({ checks, thresholds }: TestResult): CheckResult[] {
  const never = checks.filter(({ passes, fails }) => passes === 0 && fails > 0);
  if (never.length === 0) return never;
  const selectors = thresholds.flatMap(({ metric }) => selectorOfOneCheck(metric));
  return never.filter(({ name, scenario, page, group }) => {
    const tags = {
      check: name,
      scenario,
      ...(page === null ? {} : { page }),
      ...(group === null ? {} : { group }),
    };
    return !selectors.some((selector) => matchesTags(selector, tags));
  });
}

/** Reads a threshold's key if it names a check, such as `checks{check:is cached}`. */
function selectorOfOneCheck(key: string): MetricSelector[] {
  if (metricOfKey(key) !== "checks") return [];
  try {
    const { metric, filters } = parseMetricSelector(key);
    const isOfOne = filters.some(({ tag, operator }) => tag === "check" && operator === "equals");
    // A result has no other tags of its checks.
    return isOfOne ? [{ metric, filters: filters.filter(({ tag }) => tagsOfChecks.has(tag)) }] : [];
  } catch {
    // A result read from a file may have any text in its place.
    return [];
  }
}

const tagsOfChecks: ReadonlySet<string> = new Set(["check", "scenario", "page", "group"]);
