import { activeMs, lastEndMs, peakVus, peakVusOfAll } from "@bearhug/plan/executors/load-models";
import type { PlannedRun } from "@bearhug/plan/test-file/make-plan";
import type { SourcePosition } from "@bearhug/sdk/result";

import type { CheckedPlan } from "../documents/documents.ts";

/** Describes a planned run for `check --json`. */
export function describePlan(
  { plan, thresholds, notes }: PlannedRun,
  { file, line, column }: SourcePosition,
): CheckedPlan {
  const scenarios = plan.scenarios.map(({ scenario }) => scenario);
  return {
    file,
    line,
    column,
    name: plan.testName,
    baseUrl: plan.baseUrl,
    allowHosts: plan.allowHosts,
    allowUnmeasured: plan.allowUnmeasured,
    workers: plan.workers,
    warmupMs: plan.warmupMs,
    loadMs: Math.max(...scenarios.map((scenario) => scenario.startTimeMs + activeMs(scenario))),
    durationMs: lastEndMs(scenarios),
    vus: peakVusOfAll(scenarios),
    scenarios: plan.scenarios.map(({ scenario, description }) => ({
      name: scenario.name,
      executor: scenario.executor,
      load: description,
      vus: peakVus(scenario),
    })),
    thresholds: thresholds.map(({ metric, expression, abortOnFail }) => ({
      metric,
      expression,
      abortOnFail,
    })),
    notes,
  };
}
