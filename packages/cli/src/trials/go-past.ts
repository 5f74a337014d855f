import type { TestResult } from "@bearhug/sdk";
import type { CapacityResult } from "@bearhug/sdk/internal";

import { executeRun, type RunOrder } from "../run/execute-run.ts";

/** The rate that an overload exceeds after a search: the load to rely on. Null where the search has found none, or no more can be applied. */
export function rateToExceed({ answer, unit, low }: CapacityResult): number | null {
  return unit === "rate" && answer !== "generator-limited" ? low : null;
}

/** Drives a target past a rate and back, as `--overload` does. */
export function goPast(
  { options, ...order }: Omit<RunOrder, "recorder">,
  { rate, factor }: { readonly rate: number; readonly factor: number },
): Promise<TestResult> {
  return executeRun({
    ...order,
    options: { ...options, rate: { count: rate, timeUnitMs: 1000 }, overload: factor },
    recorder: null,
  });
}
