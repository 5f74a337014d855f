import type { RunOptions } from "@bearhug/plan/test-file/run-options";
import type { TestResult } from "@bearhug/sdk";
import type { TrialLoad } from "@bearhug/sdk/result";

import { executeRun } from "../run/conduct-run.ts";
import type { RunRequest } from "../run/run-request.ts";

/** How long a trial lasts, and the seed of its random numbers. */
export interface TrialPlan {
  readonly load: TrialLoad;
  /** The load is applied for so long before it is measured. */
  readonly settleMs: number;
  readonly measureMs: number;
  readonly seed: number;
}

/**
 * Applies one constant load to a loaded test and resolves with the result of that run. Trials run one after another. An
 * interruption ends the trial that is under way, as it ends a run; the caller starts no further one.
 * @throws {InvalidInput} for a test that cannot have this load, before anything was sent
 */
export type RunTrial = (plan: TrialPlan) => Promise<TestResult>;

/** Makes trials of a run. All have its test, options, thresholds, interruptions and observer; each has a load of its own. */
export function createTrials({ options, ...request }: Omit<RunRequest, "recorder">): RunTrial {
  return (plan) => executeRun({ ...request, options: withLoad(options, plan), recorder: null });
}

function withLoad(options: RunOptions, { load, settleMs, measureMs, seed }: TrialPlan): RunOptions {
  return {
    ...options,
    // Where the generator gave out is a finding of the ladder or the search.
    allowsSaturated: true,
    seed,
    iterations: null,
    warmupMs: settleMs,
    durationMs: settleMs + measureMs,
    vus: load.kind === "vus" ? load.vus : null,
    rate: load.kind === "rate" ? { count: load.perSecond, timeUnitMs: 1000 } : null,
    arrivals: load.kind === "rate" ? options.arrivals : null,
  };
}
