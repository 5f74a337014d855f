import type { TestResult } from "@bearhug/sdk";
import type { CapacityResult } from "@bearhug/sdk/result";

import { executeRun } from "../run/conduct-run.ts";
import type { RunRequest } from "../run/run-request.ts";

/**
 * Returns the rate that an overload exceeds after a search: the low end of its interval. Null if the search
 * found none, or the generator cannot apply more.
 */
export function overloadBaseRate({ answer, unit, low }: CapacityResult): number | null {
  return unit === "rate" && answer !== "generator-limited" ? low : null;
}

/** Drives a target past a rate and back, as `--overload` does. */
export function runOverload(
  { options, ...request }: Omit<RunRequest, "recorder">,
  { rate, factor }: { readonly rate: number; readonly factor: number },
): Promise<TestResult> {
  return executeRun({
    ...request,
    options: { ...options, rate: { count: rate, timeUnitMs: 1000 }, overload: factor },
    recorder: null,
  });
}
