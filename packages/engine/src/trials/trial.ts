import type { ValidatedTest } from "@bearhug/plan/definition/validated-test";
import { withConstantVus } from "@bearhug/plan/executors/override";
import type { RunOptions } from "@bearhug/plan/test-file/run-options";
import type { TestResult } from "@bearhug/sdk";
import type { TrialLoad } from "@bearhug/sdk/result";

import { executeRun } from "../run/conduct-run.ts";
import type { RunRequest } from "../run/run-request.ts";

/** The load and the times of a trial, and the seed of its random numbers. */
export interface TrialPlan {
  readonly load: TrialLoad;
  /** The time for which the load is applied before it is measured. */
  readonly settleMs: number;
  readonly measureMs: number;
  readonly seed: number;
}

/**
 * Applies one constant load to a loaded test and resolves to the result of that run. Trials run one after
 * another. An interruption ends the current trial, as it ends a run; the caller must not start another.
 * @throws {InvalidInput} for a test that cannot have this load, before any request is sent
 */
export type RunTrial = (plan: TrialPlan) => Promise<TestResult>;

/**
 * Returns a function that runs trials of a request. All share its test, options, thresholds, interruptions
 * and observer.
 */
export function createTrials({ options, ...request }: Omit<RunRequest, "recorder">): RunTrial {
  return (plan) =>
    executeRun({
      ...request,
      options: withLoad(options, plan),
      ...(plan.load.kind === "vus" && { changeTest: asClosed(plan.load.vus, plan) }),
      recorder: null,
    });
}

/**
 * Replaces a rate or a number of iterations with virtual users, which options of the command line cannot
 * express.
 */
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
    // A saturated generator is a finding of the sweep or the search, not a failure of the trial.
    judging: { ...options.judging, allowsSaturated: true },
    seed,
    iterations: null,
    warmupMs: settleMs,
    durationMs: settleMs + measureMs,
    // With a rate, this is the most virtual users that it may take.
    vus: load.kind === "vus" ? load.vus : options.vus,
    rate: load.kind === "rate" ? { count: load.perSecond, timeUnitMs: 1000 } : null,
    arrivals: load.kind === "rate" ? options.arrivals : null,
  };
}
