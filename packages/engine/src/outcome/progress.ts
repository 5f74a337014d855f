import type { ErrorRecord } from "@bearhug/metrics/error-log";
import { metricCatalog, type MetricInfo } from "@bearhug/metrics/metric-catalog";
import type { ValidatedThreshold } from "@bearhug/metrics/thresholds/read-threshold";
import type { ScenarioPacing } from "@bearhug/plan/executors/load-model";
import { isTimed, modelOf, startsUntilMs } from "@bearhug/plan/executors/load-models";
import { wholeStripe, type Stripe } from "@bearhug/plan/pacing/stripe";
import { turnAt } from "@bearhug/plan/pacing/turns";
import type { ErrorCount, IntervalSnapshot, VariantTurn } from "@bearhug/sdk";
import type { ProcessResult } from "@bearhug/sdk/result";
import type { MaskedText } from "@bearhug/text/masked-text";

import type { Collector } from "./collect.ts";
import { generatorHealth } from "./generator-health.ts";
import type { SecondOfOperations } from "./latest-seconds.ts";
import type { LoadCounts } from "./load-counts.ts";
import type { RecordedPlan, RecordedVariants } from "./run-record.ts";
import type { WorkerState } from "./run-state.ts";
import { ScenarioProgress } from "./scenario-progress.ts";
import { thresholdStandings } from "./judge-thresholds.ts";

/** A load in progress. */
export interface RunningLoad {
  readonly startedAtMs: number;
  readonly workers: readonly WorkerState[];
  /** The current counts. */
  readonly counts: LoadCounts;
}

/** The parts of a run that its progress is computed from. */
export interface ProgressOptions {
  readonly plan: RecordedPlan;
  /** This machine's part of the load; null for the whole load. */
  readonly shard: Stripe | null;
  /** Masked, as the tags of samples are. */
  readonly thresholds: readonly ValidatedThreshold[];
  readonly collector: Collector;
  /** Reads what this process has used so far. */
  readonly usedByProcess: () => ProcessResult | null;
  readonly hide: (text: string) => MaskedText;
}

/** Reports the progress of a running test once a second. */
export class RunProgress {
  readonly #options: ProgressOptions;
  readonly #catalog: ReadonlyMap<string, MetricInfo>;
  readonly #scenarios: readonly ScenarioProgress[];
  readonly #plannedMs: number | null;
  /** True if the load is constant from the first second to the last. */
  readonly #isEven: boolean;

  constructor(options: ProgressOptions) {
    const { plan, shard } = options;
    const pacings = pacingsOf(plan);
    this.#options = options;
    this.#catalog = metricCatalog(plan);
    this.#plannedMs = pacings.every(isTimed) ? startsUntilMs(pacings) : null;
    this.#isEven = pacings.every((pacing) => pacing.startTimeMs === 0 && modelOf(pacing).isEven);
    this.#scenarios = plan.scenarios.flatMap(({ scenario: { name }, pacing }, index) =>
      pacing === undefined ? [] : [new ScenarioProgress(name, pacing, index, shard ?? wholeStripe)],
    );
  }

  /**
   * Returns the progress at the end of a second (negative in the warm-up). `elapsedMs` counts from the start
   * of the run, with setup.
   */
  at(
    second: number,
    { nowMs, elapsedMs }: { readonly nowMs: number; readonly elapsedMs: number },
    load: RunningLoad,
  ): IntervalSnapshot {
    const { plan, thresholds, collector, hide } = this.#options;
    const isWarmup = second < 0;
    const atMs = plan.warmupMs + (second + 1) * 1000;
    const loadMs = nowMs - load.startedAtMs;
    const { counts } = load;
    const { iterations, endedRequests } = isWarmup ? counts.warmup : counts.measured;
    const { receivedBytes } = counts;
    const monitors = collector.monitors.standings(second);
    return {
      atMs,
      elapsedMs,
      plannedMs: this.#plannedMs,
      isWarmup,
      vus: collector.timeline.engine.at(Math.max(0, second)).counts.vus,
      iterations: iterations.completed + iterations.failed,
      requests: endedRequests,
      ...describeSecond(collector.latest.at(second)),
      receivedBytes,
      expectedBytes: this.#isEven ? expectedBytes(receivedBytes, atMs, this.#plannedMs) : null,
      dropped: iterations.dropped,
      scenarios: this.#scenarios.map((one) => one.at(counts, { loadMs, atMs, isWarmup }, hide)),
      errors: countErrors(collector.errors.all(), hide),
      thresholds: thresholdStandings(thresholds, this.#catalog, collector, Math.max(0, second + 1) * 1000),
      ...(plan.variants && { turn: describeTurn(plan.variants, plan.seed, atMs - plan.warmupMs, hide) }),
      ...(collector.gathered && { series: collector.gathered.drain(this.#catalog) }),
      ...(monitors.length > 0 && { monitors }),
      generator: this.#generator(load, loadMs - plan.warmupMs, iterations.scheduled),
    };
  }

  #generator({ workers }: RunningLoad, measuredMs: number, scheduled: number): IntervalSnapshot["generator"] {
    const { plan, collector, usedByProcess } = this.#options;
    const { verdict, reasons } = generatorHealth({
      workers,
      process: usedByProcess(),
      collector,
      scheduled,
      hasOneTarget: plan.allowHosts.length === 0,
      durationMs: Math.max(0, measuredMs),
    });
    return { verdict, reasons };
  }
}

function describeTurn(
  { names, ...times }: RecordedVariants,
  seed: number,
  atMs: number,
  hide: (text: string) => MaskedText,
): VariantTurn {
  const { variant } = turnAt({ ...times, seed, variants: names.length }, atMs);
  const lastsMs = times.turnMs;
  return { variant: hide(names[variant] ?? ""), lastsMs, leftMs: lastsMs - modulo(atMs, lastsMs) };
}

/** Returns a result from 0 up even for negative times, which the warm-up has. */
function modulo(atMs: number, periodMs: number): number {
  return atMs - Math.floor(atMs / periodMs) * periodMs;
}

type SecondFields = Pick<
  IntervalSnapshot,
  | "requestRate"
  | "failedRate"
  | "p50Ms"
  | "p95Ms"
  | "p99Ms"
  | "isP50LowerBound"
  | "isP95LowerBound"
  | "isP99LowerBound"
>;

function describeSecond({ operations, failed, duration }: SecondOfOperations): SecondFields {
  const [p50Ms, p95Ms, p99Ms] =
    duration.count === 0
      ? ([null, null, null] as const)
      : ([duration.percentile(50), duration.percentile(95), duration.percentile(99)] as const);
  const isLowerBound = (ms: number | null): boolean => ms !== null && duration.isLowerBound(ms);
  return {
    requestRate: operations,
    failedRate: operations === 0 ? 0 : failed / operations,
    p50Ms,
    p95Ms,
    p99Ms,
    isP50LowerBound: isLowerBound(p50Ms),
    isP95LowerBound: isLowerBound(p95Ms),
    isP99LowerBound: isLowerBound(p99Ms),
  };
}

/** Counts errors by code, each with its most frequent request name. */
function countErrors(records: readonly ErrorRecord[], hide: (text: string) => MaskedText): ErrorCount[] {
  const counts = new Map<string, ErrorCount>();
  for (const { code, count, name } of records) {
    const known = counts.get(code) ?? { code, count: 0, name: hide(name) };
    counts.set(code, { ...known, count: known.count + count });
  }
  return [...counts.values()].sort((left, right) => right.count - left.count);
}

/** Returns when each scenario starts iterations. Recordings of earlier versions do not know that. */
export function pacingsOf({ scenarios }: RecordedPlan): ScenarioPacing[] {
  return scenarios.flatMap(({ pacing }) => pacing ?? []);
}

function expectedBytes(receivedBytes: number, atMs: number, lastsMs: number | null): number | null {
  return lastsMs === null ? null : receivedBytes * Math.max(1, lastsMs / atMs);
}
