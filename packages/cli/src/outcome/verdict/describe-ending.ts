import type { TestResult } from "@bearhug/sdk";
import { leastJudgedMs, timeOfVus } from "@bearhug/sdk/internal";

import { isUnanswerable } from "../assemble-result.ts";
import { isWhole, type FinishedRun } from "../finished-run.ts";
import { describeFailure } from "./failed-stages.ts";
import type { Ending } from "./ending.ts";
import { scenarioOutcomes } from "./scenario-outcomes.ts";

/** The parts of a result that were measured, and that the verdict rests on. */
export type Measured = Pick<
  TestResult,
  | "generator"
  | "accounting"
  | "checks"
  | "thresholds"
  | "metrics"
  | "series"
  | "scenarios"
  | "groups"
  | "intervals"
  | "errors"
>;

/** The facts that decide the verdict of a run. */
export function describeEnding(run: FinishedRun, measured: Measured): Ending {
  const { planned, collector, durationMs, locate } = run;
  const { generator, accounting, checks, thresholds, metrics, errors } = measured;
  return {
    thresholds,
    metrics,
    checks,
    accounting,
    errors,
    scenarios: planned === null ? [] : scenarioOutcomes(collector.store, planned.plan, planned.thresholds),
    timeOfVus: (scenario) => timeOfVus(measured, scenario),
    workers: run.workers,
    unanswerable: describeUnanswerable(run),
    failures: run.failures.map((failure) => describeFailure(failure, accounting, locate)),
    interruptedBy: run.interruptedBy,
    teardownSignal: run.teardownSignal,
    killed: run.isTruncated ? { afterMs: durationMs, isLoadOver: run.isLoadOver } : null,
    abortReason: run.abortReason,
    hasReceivedEnough: run.hasReceivedEnough,
    isGeneratorSaturated: generator.verdict === "saturated",
    isStrictGenerator: run.isStrictGenerator,
    isGeneratorJudged: durationMs >= leastJudgedMs,
  };
}

function describeUnanswerable(run: FinishedRun): string[] {
  const { planned, collector } = run;
  const thresholds = isWhole(run) ? (planned?.thresholds ?? []) : [];
  return thresholds
    .filter((threshold) => isUnanswerable(threshold, collector.foldedTags))
    .map(
      ({ key }) =>
        `threshold ${key} could not be evaluated: there were too many tag combinations, so some were merged`,
    );
}
