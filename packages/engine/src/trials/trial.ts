import { withConstantVus } from "@bearhug/plan/executors/override";
import type { RunOptions } from "@bearhug/plan/test-file/run-options";
import type { TestResult } from "@bearhug/sdk";
import type { ValidatedTest } from "@bearhug/sdk/internal";
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
  return (plan) =>
    executeRun({
      ...request,
      options: withLoad(options, plan),
      ...(plan.load.kind === "vus" && { reshape: asClosed(plan.load.vus, plan) }),
      recorder: null,
    });
}

/** Virtual users take the place of a rate or of a number of iterations: a command line could not say so. */
function asClosed(
  vus: number,
  { settleMs, measureMs }: Pick<TrialPlan, "settleMs" | "measureMs">,
): (test: ValidatedTest) => ValidatedTest {
  const load = { vus, durationMs: settleMs + measureMs };
  return (test) => ({
    ...test,
    scenarios: test.scenarios.map((scenario) => withConstantVus(scenario, load)),
  });
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
    // The most virtual users that a rate may take; those of the load itself replace the test's.
    vus: load.kind === "vus" ? load.vus : options.vus,
    rate: load.kind === "rate" ? { count: load.perSecond, timeUnitMs: 1000 } : null,
    arrivals: load.kind === "rate" ? options.arrivals : null,
  };
}
