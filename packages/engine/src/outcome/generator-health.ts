import { ofType } from "@bearhug/metrics/accumulator";
import { parseMetricSelector } from "@bearhug/metrics/metric-selector";
import type { GeneratorResult } from "@bearhug/sdk";
import type { ProcessResult, WorkerResult } from "@bearhug/sdk/result";

import { diagnoseGenerator } from "../health/diagnose-generator.ts";
import type { Collector } from "./collect.ts";
import type { WorkerState } from "./run-state.ts";

/** A load generator at a moment of the load, or at its end. */
export interface GeneratorAtWork {
  readonly workers: readonly WorkerState[];
  /** Null if no load was applied. */
  readonly process: ProcessResult | null;
  readonly collector: Collector;
  /** Iterations that were due. */
  readonly scheduled: number;
  /** True if, as far as is known, all connections went to one address. */
  readonly hasOneTarget: boolean;
  /** The duration of the measured load. */
  readonly durationMs: number;
}

/** Diagnoses the health of the load generator from everything that its workers have reported so far. */
export function generatorHealth({
  workers,
  process,
  collector,
  scheduled,
  hasOneTarget,
  durationMs,
}: GeneratorAtWork): GeneratorResult {
  return diagnoseGenerator({
    process,
    hasOneTarget,
    durationMs,
    workers: workers.map((worker) => describeWorker(worker, collector)),
    errors: collector.errors.all(),
    drops: { late: countLateDrops(collector), scheduled },
  });
}

const lateDrops = parseMetricSelector("dropped_iterations{reason:late}");

function countLateDrops({ store }: Collector): number {
  return ofType(store.select(lateDrops), "counter")?.total ?? 0;
}

function describeWorker(worker: WorkerState, collector: Collector): WorkerResult {
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
