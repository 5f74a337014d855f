import { parseMetricSelector, type TestResult, type WorkerResult } from "@bearhug/sdk";

import { judgeGenerator } from "../health/judge-generator.ts";
import type { ErrorLog } from "../metrics/error-log.ts";
import { version } from "../version.ts";
import {
  checkResults,
  describeEnvironment,
  errorResults,
  intervalResults,
  isUnanswerable,
  metricResults,
  seriesResults,
  thresholdResults,
  type Locate,
} from "./assemble-result.ts";
import type { Collector } from "./collect.ts";
import type { StageFailure } from "./definition-session.ts";
import type { FinishedRun, WorkerEnding } from "./finished-run.ts";
import { decideVerdict } from "./verdict/decide-verdict.ts";

/** The result document of a run. */
export function composeResult(run: FinishedRun): TestResult {
  const { planned, collector, durationMs } = run;
  const generator = judgeGenerator({
    workers: run.workers.map((worker) => describeWorker(worker, collector)),
    process: run.process,
    errors: collector.errors.all(),
    drops: { late: countLateDrops(collector), scheduled: run.iterations.scheduled },
    hasOneTarget: planned?.plan.allowHosts.length === 0,
    durationMs,
  });
  const { iterations, requests, setup, teardown, warmup } = run;
  const accounting = { iterations, requests, setup, teardown, warmup };
  const thresholds = judgeThresholds(run);
  const errors = errorResults(allErrors(run), run.locate);
  const decided = decideVerdict({
    thresholds,
    accounting,
    errors,
    workers: run.workers,
    unanswerable: describeUnanswerable(run),
    failures: run.failures.map((failure) => describeFailure(failure, run.locate)),
    interruptedBy: run.interruptedBy,
    teardownSignal: run.teardownSignal,
    killed: run.isTruncated ? { afterMs: durationMs, isLoadOver: run.isLoadOver } : null,
    abortReason: run.abortReason,
    hasReceivedEnough: run.hasReceivedEnough,
    isGeneratorSaturated: generator.verdict === "saturated",
    isStrictGenerator: run.isStrictGenerator,
  });
  return {
    schema: "bearhug/result@1",
    tool: { name: "bearhug", version, node: process.versions.node },
    ...describeTest(run),
    startedAt: run.startedAt.toISOString(),
    durationMs,
    environment: describeEnvironment(),
    shard: null,
    truncated: run.isTruncated,
    ...decided,
    generator,
    accounting,
    thresholds,
    checks: checkResults(collector.store),
    metrics:
      planned === null ? {} : metricResults(collector.store, planned.plan, planned.thresholds, durationMs),
    series: planned === null ? [] : seriesResults(collector.store, planned.plan, durationMs),
    intervals: intervalResults(collector.timeline, durationMs),
    errors,
  };
}

/** A run that was interrupted, or had no load, is not judged. */
function judgeThresholds(run: FinishedRun): TestResult["thresholds"] {
  const { planned, collector, durationMs, workers, locateThreshold } = run;
  if (planned === null) return [];
  const isJudged = isWhole(run) && workers.length > 0;
  collector.windows.finish(run.startsUntilMs);
  return thresholdResults(planned, collector.store, {
    durationMs,
    isJudged,
    locateThreshold,
    foldedTags: collector.foldedTags,
    windows: collector.windows,
  });
}

/** Whether all the load that was planned was applied, or ended by the test's own rules, and all its samples are in. */
function isWhole({ interruptedBy, isTruncated, isLoadOver }: FinishedRun): boolean {
  return interruptedBy === null && (!isTruncated || isLoadOver);
}

function describeUnanswerable(run: FinishedRun): string[] {
  const { planned, collector } = run;
  const thresholds = isWhole(run) ? (planned?.thresholds ?? []) : [];
  return thresholds
    .filter((threshold) => isUnanswerable(threshold, collector.foldedTags))
    .map(
      ({ key }) => `threshold ${key} could not be judged: too many combinations of tags were not told apart`,
    );
}

function describeTest({ planned, file }: FinishedRun): Pick<TestResult, "test" | "seed" | "plan"> {
  if (planned === null) {
    return {
      test: { name: file ?? "", file, target: null },
      seed: 0,
      plan: { scenarios: [], workers: 0, warmupMs: 0, maxDataBytes: null },
    };
  }
  const { testName, baseUrl, seed, scenarios, workers, warmupMs, maxDataBytes } = planned.plan;
  return {
    test: { name: testName, file, target: baseUrl },
    seed,
    plan: {
      scenarios: scenarios.map(({ scenario, description }) => ({
        name: scenario.name,
        executor: scenario.executor,
        description,
      })),
      workers,
      warmupMs,
      maxDataBytes,
    },
  };
}

const lateDrops = parseMetricSelector("dropped_iterations{reason:late}");

function countLateDrops({ store }: Collector): number {
  const found = store.select(lateDrops);
  return found?.type === "counter" ? found.total : 0;
}

function describeWorker(worker: WorkerEnding, collector: Collector): WorkerResult {
  const health = collector.health(worker.id);
  return {
    id: worker.id,
    utilization: health === null ? null : Math.min(1, health.utilization),
    loopDelayP95Ms: health?.loopDelayP95Ms ?? null,
    loopDelayP99Ms: health?.loopDelayP99Ms ?? null,
    scheduleLagP95Ms: collector.scheduleLagMs(worker.id, 95),
    scheduleLagP99Ms: collector.scheduleLagMs(worker.id, 99),
    pauses: health?.pauses ?? null,
    lost: worker.lost,
  };
}

/** One sentence: what threw, and where; the lines around it stand with the errors. */
function describeFailure({ stage, thrown }: StageFailure, locate: Locate): string {
  const what = stage === "module" ? "the test could not be loaded" : `${stage} failed`;
  const source = thrown.position === null ? null : (locate(thrown.position)?.source ?? null);
  const where = source === null ? "" : ` at ${source.file}:${source.line}:${source.column}`;
  return `${what}${where}: ${thrown.message}`;
}

/** What the test's code outside of scenarios threw, with the load's errors. */
function allErrors({ collector, failures }: FinishedRun): ErrorLog {
  for (const { stage, thrown } of failures) {
    const { message, position } = thrown;
    collector.errors.add({ code: "TEST_THREW", cause: null, message, name: stage, firstAtMs: 0, position });
  }
  return collector.errors;
}
