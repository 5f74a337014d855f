import { compareResults } from "@bearhug/metrics/comparison/compare-results";
import { randomSource } from "@bearhug/plan/pacing/random-source";
import type { TestResult } from "@bearhug/sdk";
import type { ComparisonResult } from "@bearhug/sdk/result";

import { simulateResult } from "../../../metrics/test/comparison/simulated-results.ts";

/** The base run, in which some requests failed. It lasted longer than the slower new run. */
export const baseRun: TestResult = simulateResult({
  seed: 1,
  seconds: 24,
  requestsPerSecond: 200,
  wave: 0.1,
  failedShare: 0.004,
});

const newRun = simulateResult({ seed: 2, seconds: 20, requestsPerSecond: 200, wave: 0.1, factor: 1.4 });

const rules = { tolerance: 0.05, rateTolerance: 0.005, runNoise: 0.05 };

/** The comparison of the slower run with the base. */
export const comparison: ComparisonResult = compareResults(
  [{ name: "base.json", result: baseRun }],
  [{ name: "new.json", result: newRun }],
  {
    ...rules,
    isAnyMachine: true,
    isAnyGenerator: false,
    isAnyRedirect: false,
    isAnySize: false,
    failsOnUndecided: false,
  },
  { tool: { name: "bearhug", version: "0.1.0" }, random: () => randomSource(7, 0), failedCode: 99 },
);

/** The slower run with its comparison, as `run --baseline` writes it. */
export const comparedRun: TestResult = { ...newRun, comparison };
