import type { BundlePosition } from "@bearhug/metrics/error-log";
import { getOrAdd } from "@bearhug/metrics/get-or-add";
import { exitCodes, withReasons, type EndCondition } from "@bearhug/metrics/results/exit-codes";
import {
  endedByLimit,
  endedByThreshold,
  isMentioned,
  isThresholdFailure,
  loginPageWords,
} from "@bearhug/metrics/results/reason-words";
import { sumBy } from "@bearhug/metrics/sum";
import type { TargetDelta } from "@bearhug/metrics/target-log";
import { parseThreshold, type ValidatedThreshold } from "@bearhug/metrics/thresholds/read-threshold";
import type { GeneratorResult, IntervalResult, TestResult, ThresholdResult } from "@bearhug/sdk";
import type { SourcePosition } from "@bearhug/sdk/result";
import { asMasked } from "@bearhug/text/masked-text";
import { formatCounted } from "@bearhug/text/number";

import { builtInClients } from "../../built-in-clients.ts";
import { composeResult } from "../compose-result.ts";
import { Collector, gaugeOf } from "../collect.ts";
import type { RecordedPlan, RecordedRun } from "../run-record.ts";
import { initialState, type RunState } from "../run-state.ts";
import type { Locate } from "../run.ts";
import { isLostWithShard } from "../verdict/cut-short.ts";
import { isOverLimit } from "../verdict/describe-limit.ts";
import type { ResultPart } from "./check-results.ts";
import type { MergeOptions } from "./merge-runs.ts";
import { mergeStates, type EndedPart } from "./merge-states.ts";
import { samplesOf, stretchesOf } from "./result-samples.ts";
import { uniqueMonitors } from "./run-merge.ts";

type Results = readonly [ResultPart, ...ResultPart[]];

/**
 * Merges result documents into one, from their samples by series, timelines, errors, checks and accounts.
 * Thresholds are judged on the sum, except those with windows: results do not contain every second of every
 * series.
 */
export function mergeResults(
  parts: Results,
  { allowsPartial, gaps }: Pick<MergeOptions, "allowsPartial" | "gaps">,
): TestResult {
  const head = headOf(parts, allowsPartial);
  const collector = new Collector(head);
  const faults = new ResultFaults();
  addSamples(collector, parts);
  for (const { result } of parts) faults.add(collector, result);
  const accepted = parts.flatMap(({ name, result: { partial = [] } }) =>
    partial.map((reason) => `${name}: ${reason}`),
  );
  const state = mergeStates(endedParts(parts));
  const composed = composeResult({
    head,
    collector,
    isTruncated: false,
    locate: faults.locate,
    generator: mergeGenerators(parts, state),
    state: { ...state, gaps: [...gaps.map(({ reason }) => reason), ...accepted] },
  });
  const reasons = parts.flatMap((part) => reasonsOf(part, composed.messages));
  const { blockMs: _, ...result } = withReasons(composed, reasons);
  return {
    ...result,
    notes: [...composed.notes, ...parts.flatMap(keptNotes), ...describeMerge(parts)],
    monitors: uniqueMonitors(parts.flatMap(({ result }) => result.monitors)),
    unmeasured: parts.flatMap((part) => part.result.unmeasured),
  };
}

function headOf(parts: Results, allowsPartial: boolean): RecordedRun {
  const [{ result }] = parts;
  const results = parts.map((part) => part.result);
  const [beganAt = result.startedAt] = results.map(({ startedAt }) => startedAt).sort();
  const { file, fingerprint } = result.test;
  return {
    file,
    beganAt,
    isStrictGenerator: false,
    allowsPartial,
    shard: null,
    monitors: [],
    ...(fingerprint === undefined ? {} : { fingerprint }),
    plan: planOf(result, results),
    thresholds: result.thresholds
      .filter(({ window }) => window === null)
      .map((threshold) => ({ threshold: readThreshold(threshold), source: threshold.source })),
    tool: result.tool,
    environment: result.environment,
  };
}

function planOf({ test, seed, plan }: TestResult, results: readonly TestResult[]): RecordedPlan {
  const clients = builtInClients.map(({ name, metrics, roles }) => ({ name, metrics, roles }));
  const builtIn = new Set(clients.flatMap(({ metrics }) => Object.keys(metrics)));
  const metrics = results
    .flatMap((one) => Object.entries(one.metrics))
    .filter(([name]) => !builtIn.has(name));
  return {
    testName: test.name,
    seed,
    baseUrl: test.target,
    allowHosts: [],
    clients,
    metrics: Object.fromEntries(metrics.map(([name, { type, unit }]) => [name, { type, unit }])),
    workers: sumBy(results, (one) => one.plan.workers),
    warmupMs: plan.warmupMs,
    maxDataBytes: plan.maxDataBytes,
    ...(plan.judging && { judging: plan.judging }),
    scenarios: plan.scenarios.map(({ name, executor, description, transport, expectsFailures = false }) => ({
      scenario: { name, executor, expectsNoRequests: true, expectsFailures, http: { transport } },
      arrivalRate: null,
      description,
    })),
  };
}

function readThreshold({ metric, expression, allowEmpty }: ThresholdResult): ValidatedThreshold {
  const options = { abortOnFail: false, delayAbortEvalMs: 0, windowMs: null, allowEmpty };
  return { ...parseThreshold(metric, expression), ...options };
}

function addSamples(collector: Collector, parts: readonly ResultPart[]): void {
  const vus = new Map<number, number>();
  for (const [index, { result }] of parts.entries()) {
    collector.store.add(
      index,
      samplesOf(result).filter((one) => one !== null),
    );
    // A run does not read its virtual users while the last iterations end: their number there is no sample.
    const lastRead = result.intervals.findLastIndex((interval) => interval.vus > 0);
    for (const [at, stretch] of stretchesOf(result, builtInClients).entries()) {
      const { second, delta, interval } = stretch;
      collector.timeline.add(second, [delta]);
      collector.targets.add(second, targetsOf(result, interval));
      if (at <= lastRead) vus.set(second, (vus.get(second) ?? 0) + stretch.vus);
    }
  }
  const vusMade = sumBy(parts, ({ result }) => mostVus(result));
  for (const [second, working] of [...vus].sort(([left], [right]) => left - right)) {
    const metrics = { vus: gaugeOf(working), vus_max: gaugeOf(vusMade) };
    const deltas = [{ id: 0, tags: {}, metrics }];
    collector.store.add(parts.length, deltas);
    collector.timeline.add(second, deltas);
  }
}

/**
 * Counts all requests for the test's own host, because results have no counts by host. Empty if a scenario
 * expects failures.
 */
function targetsOf(
  { test: { target }, plan: { scenarios } }: TestResult,
  { http_reqs: all, http_reqs_failed: failed }: IntervalResult,
): TargetDelta[] {
  const [first] = scenarios;
  if (first === undefined || all === 0 || scenarios.some(({ expectsFailures = false }) => expectsFailures))
    return [];
  return [{ scenario: first.name, origin: target, succeeded: all - failed, failed }];
}

function mostVus({ metrics: { vus_max: made } }: TestResult): number {
  return made?.type === "gauge" ? made.values.max : 0;
}

function endedParts(parts: readonly ResultPart[]): EndedPart[] {
  let firstWorker = 0;
  return parts.map(({ name, result }) => {
    const state = stateOf(result);
    const ended = { state, isTruncated: false, firstWorker, workers: 0, shard: name, allowsPartial: false };
    firstWorker += state.workers.length;
    return ended;
  });
}

function stateOf({ startedAt, durationMs, accounting, generator }: TestResult): RunState {
  return {
    ...initialState,
    startedAt,
    durationMs,
    startsUntilMs: durationMs,
    accounting,
    isLoadOver: true,
    process: generator.process,
    workers: generator.workers.map(({ id, lost }) => ({ id, lost, isRunning: false })),
  };
}

/**
 * Returns the reasons of one run that cannot be judged again from the merged samples.
 * @param judged the reasons that the merged samples gave
 */
function reasonsOf({ name, result }: ResultPart, judged: readonly string[]): EndCondition[] {
  const { exitCode: code, thresholds, notes } = result;
  const failed = thresholds.filter(({ window, passed }) => window !== null && passed === false);
  const aborted = notes.filter((text) => text.startsWith(endedByThreshold));
  return [
    ...failed.map(({ metric, expression }) => ({
      code: exitCodes.thresholdsFailed,
      message: `${name}: threshold failed in a window: ${metric}: ${expression}`,
    })),
    ...aborted.map((text) => ({ code: exitCodes.thresholdsFailed, message: `${name}: ${text}` })),
    ...keptMessages(result)
      .filter((message) => !judged.includes(message))
      .map((message) => ({ code, message: `${name}: ${message}` })),
  ];
}

/** Returns the reasons of a run that stay: thresholds and limits of shares are judged again, on the sums. */
function keptMessages({ exitCode, messages, generator }: TestResult): readonly string[] {
  if (exitCode === exitCodes.thresholdsFailed)
    return messages.filter((message) => !isThresholdFailure(message) && !isOverLimit(message));
  const isReported = generator.workers.some(({ lost }) => lost !== null && !isLostWithShard(lost));
  return exitCode === exitCodes.workerLost && isReported ? [] : messages;
}

/** Returns notes on limits that ended one run early, and on requests that ended at a login page. */
function keptNotes({ name, result }: ResultPart): string[] {
  return result.notes
    .filter((text) => text.startsWith(endedByLimit) || isMentioned(loginPageWords, [text]))
    .map((text) => `${name}: ${text}`);
}

const verdicts = [
  "healthy",
  "strained",
  "saturated",
] as const satisfies readonly GeneratorResult["verdict"][];

/** Merges the health of all generators, each as its own run judged it. */
function mergeGenerators(
  parts: readonly ResultPart[],
  { workers: ended, process }: RunState,
): GeneratorResult {
  const generators = parts.map(({ result }) => result.generator);
  const workers = generators.flatMap((one) => one.workers);
  return {
    verdict: verdicts.findLast((one) => generators.some(({ verdict }) => verdict === one)) ?? "healthy",
    reasons: parts.flatMap(({ name, result }) =>
      result.generator.reasons.map((reason) => `${name}: ${reason}`),
    ),
    workers: ended.map(({ id, lost }, index) => ({ ...(workers[index] ?? noWorker), id, lost })),
    process,
  };
}

const noWorker = {
  utilization: null,
  loopDelayP95Ms: null,
  loopDelayP99Ms: null,
  scheduleLagP95Ms: null,
  scheduleLagP99Ms: null,
  pauses: null,
};

function describeMerge([first, ...others]: Results): string[] {
  const unjudged = first.result.thresholds.filter(({ window }) => window !== null);
  return [
    `merged from ${formatCounted(others.length + 1, "result")}: without windows, example exchanges and connections_open`,
    ...unjudged.map(
      ({ metric, expression }) =>
        `not judged on all samples, because results hold no windows: ${metric}: ${expression}`,
    ),
  ];
}

type Place = NonNullable<ReturnType<Locate>>;

/**
 * Adds up the errors of results and the exceptions of their checks. Gives each place in the source its own
 * number, as a line.
 */
class ResultFaults {
  readonly #places = new Map<string, { readonly position: BundlePosition; readonly place: Place }>();

  add({ errors, checkFaults }: Pick<Collector, "errors" | "checkFaults">, result: TestResult): void {
    for (const { source = null, frame = null, message, count, ...error } of result.errors) {
      const position = this.#positionOf(source, frame);
      errors.add({ ...error, message: asMasked(message), position }, count);
    }
    for (const { name, scenario, page, group, exception } of result.checks) {
      if (exception === null) continue;
      const { message, count, firstAtMs, source, frame } = exception;
      const position = this.#positionOf(source, frame);
      const fault = { message: asMasked(message), count, firstAtMs, position };
      checkFaults.merge({ check: name, scenario, page, group, ...fault });
    }
  }

  readonly locate: Locate = ({ line }) =>
    [...this.#places.values()].find(({ position }) => position.line === line)?.place ?? null;

  #positionOf(source: SourcePosition | null, frame: string | null): BundlePosition | null {
    if (source === null) return null;
    return getOrAdd(this.#places, JSON.stringify(source), () => ({
      position: { line: this.#places.size + 1, column: 1 },
      place: { source, frame },
    })).position;
  }
}
