import type { TestResult } from "@bearhug/sdk";
import { parseMetricSelector, type WorkerResult } from "@bearhug/sdk/internal";

import { judgeGenerator } from "../health/judge-generator.ts";
import type { ErrorLog } from "../metrics/error-log.ts";
import type { UnmeasuredTraffic } from "../metrics/unmeasured-log.ts";
import { version } from "../version.ts";
import {
  checkResults,
  describeEnvironment,
  errorResults,
  intervalResults,
  metricResults,
  seriesResults,
  thresholdResults,
} from "./assemble-result.ts";
import type { Collector } from "./collect.ts";
import { isWhole, type FinishedRun, type WorkerEnding } from "./finished-run.ts";
import { groupResults, scenarioResults } from "./merged-results.ts";
import { unmeasuredResults } from "./tell-traffic.ts";
import { decideVerdict } from "./verdict/decide-verdict.ts";
import { describeEnding, type Measured } from "./verdict/describe-ending.ts";

/** The result document of a run. */
export function composeResult(run: FinishedRun): TestResult {
  const measured = describeMeasures(run);
  const { durationMs } = run;
  return {
    schema: "bearhug/result@1",
    tool: { name: "bearhug", version, node: process.versions.node },
    ...describeTest(run),
    startedAt: run.startedAt.toISOString(),
    durationMs,
    environment: describeEnvironment(),
    shard: null,
    truncated: run.isTruncated,
    ...decideVerdict(describeEnding(run, measured)),
    ...measured,
    unmeasured: unmeasuredResults(allUnmeasured(run), run.locate),
  };
}

function describeMeasures(run: FinishedRun): Measured {
  const { planned, collector, durationMs, iterations, requests, setup, teardown, warmup } = run;
  const { store } = collector;
  return {
    generator: judgeGenerator({
      workers: run.workers.map((worker) => describeWorker(worker, collector)),
      process: run.process,
      errors: collector.errors.all(),
      drops: { late: countLateDrops(collector), scheduled: iterations.scheduled },
      hasOneTarget: planned?.plan.allowHosts.length === 0,
      durationMs,
    }),
    accounting: { iterations, requests, setup, teardown, warmup },
    thresholds: judgeThresholds(run),
    checks: checkResults(store, collector.checkFaults, run.locate),
    metrics: planned === null ? {} : metricResults(store, planned.plan, planned.thresholds, durationMs),
    series: planned === null ? [] : seriesResults(store, planned.plan, durationMs),
    scenarios: planned === null ? [] : scenarioResults(store, planned.plan, durationMs),
    groups: planned === null ? [] : groupResults(store, planned.plan, durationMs),
    intervals: intervalResults(collector.timeline, durationMs),
    errors: errorResults(allErrors(run), run.locate),
  };
}

/** In the order of a run's stages. */
function allUnmeasured({ unmeasured, collector }: FinishedRun): UnmeasuredTraffic[] {
  const isLate = ({ stage }: UnmeasuredTraffic): boolean => stage === "teardown";
  const early = unmeasured.filter((traffic) => !isLate(traffic));
  return [...early, ...collector.unmeasured.all(), ...unmeasured.filter(isLate)];
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
        transport: scenario.http.transport,
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

/** What the test's code outside of scenarios threw, with the load's errors. */
function allErrors({ collector, failures }: FinishedRun): ErrorLog {
  for (const { stage, thrown } of failures) {
    const { message, position } = thrown;
    collector.errors.add({ code: "TEST_THREW", cause: null, message, name: stage, firstAtMs: 0, position });
  }
  return collector.errors;
}
