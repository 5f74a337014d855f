import { sampleVariance } from "@bearhug/metrics/statistics";
import type { TestResult } from "@bearhug/sdk";
import type { TrendResult, TrialLoad, TrialResult, TrialTimes } from "@bearhug/sdk/result";

/** The requested load, and the time for which it was to be measured. */
interface TrialRequest {
  readonly load: TrialLoad;
  readonly measureMs: number;
}

/** The most error codes listed; further ones are only included in the counts. */
const maxErrors = 5;

/** The metrics of a trial's operations. */
interface OperationMetrics {
  readonly operation: TrialResult["operation"];
  readonly counter: string;
  readonly failed: string;
  /** The time that the target took for the operation. */
  readonly duration: string;
  /** The time that its user waited: in open models from its intended start. */
  readonly responseTime: string;
}

const ofRequests: OperationMetrics = {
  operation: "request",
  counter: "http_reqs",
  failed: "http_req_failed",
  duration: "http_req_duration",
  responseTime: "http_req_response_time",
};

const ofIterations: OperationMetrics = {
  operation: "iteration",
  counter: "iterations",
  failed: "iteration_failed",
  duration: "iteration_duration",
  responseTime: "iteration_response_time",
};

/** Computes the figures of a trial, which sweeps and searches compare, from its result. */
export function trialFigures({ load, measureMs }: TrialRequest, result: TestResult): TrialResult {
  const { metrics, accounting, durationMs, errors, generator, thresholds, monitors } = result;
  const { operation, counter, ...names } = countOf(metrics, "http_reqs") > 0 ? ofRequests : ofIterations;
  const count = countOf(metrics, counter);
  const gauges = monitors.flatMap((monitor) =>
    monitor.gauges.map(({ metric, unit, values }) => ({ metric, unit, avg: values.avg })),
  );
  const failed = metrics[names.failed];
  const failedShare = failed?.type === "rate" ? failed.values.rate : 0;
  // Iterations start until the load ends; the run goes on until the last of them has ended.
  const dueMs = Math.min(measureMs, durationMs);
  const rateMs = load.kind === "vus" ? dueMs : durationMs;
  const perSecond = (events: number, ms = rateMs): number => (ms > 0 ? (events * 1000) / ms : 0);
  const rate = perSecond(count);
  return {
    load,
    startedAt: result.startedAt,
    durationMs,
    rateMs,
    operation,
    count,
    rate,
    rateError: errorOfRate(result.intervals, operation),
    goodRate: rate * (1 - failedShare),
    failedShare,
    offeredRate: load.kind === "rate" ? perSecond(accounting.iterations.scheduled, dueMs) : null,
    iterationRate: perSecond(countOf(metrics, "iterations")),
    dropped: accounting.iterations.dropped,
    concurrency: meanInProgress(metrics[names.duration], rateMs),
    busyVus: meanInProgress(metrics["iteration_duration"], rateMs),
    times: timesOf(metrics[names.responseTime]),
    errors: mostFrequent(errors),
    receivedRate: perSecond(countOf(metrics, "data_received")),
    generator: { verdict: generator.verdict, reasons: generator.reasons },
    ...(gauges.length > 0 && { gauges }),
    failedThresholds: thresholds.flatMap(({ metric, expression, passed }) =>
      passed === false ? [`${metric}: ${expression}`] : [],
    ),
  };
}

/**
 * Up to this share, the generator itself may have dropped iterations. If it drops more, it is saturated and
 * the trial does not count.
 */
export const negligibleDroppedShare = 0.01;

/** Returns the share of a trial's due iterations that were never started. */
export function droppedShare({ dropped, offeredRate, rateMs }: TrialResult): number {
  const due = ((offeredRate ?? 0) * rateMs) / 1000;
  return due === 0 ? 0 : Math.min(1, dropped / due);
}

/** Returns the share of the virtual users' time that went to requests never answered, timeouts and back-off. */
export function lostShare({ metrics: { vu_time_lost: lost } }: Pick<TestResult, "metrics">): number {
  return lost?.type === "rate" ? lost.values.rate : 0;
}

function countOf(metrics: TestResult["metrics"], name: string): number {
  const metric = metrics[name];
  return metric?.type === "counter" ? metric.values.count : 0;
}

/** The fewest seconds that show how much they vary. */
const minSeconds = 3;

/**
 * Returns the standard error of the mean rate: the deviation of its seconds, divided by the root of their
 * number.
 */
function errorOfRate(intervals: TestResult["intervals"], operation: TrialResult["operation"]): number | null {
  const widthMs = intervals[0]?.widthMs ?? 0;
  // The last one may be cut short.
  const rates = intervals
    .filter((interval) => interval.widthMs === widthMs)
    .map(
      (interval) => ((operation === "request" ? interval.http_reqs : interval.iterations) * 1000) / widthMs,
    );
  if (rates.length < minSeconds) return null;
  return Math.sqrt(sampleVariance(rates) / rates.length);
}

/**
 * Returns the mean number in progress by Little's law, L = λW: the sum of all durations divided by the time
 * in which they began.
 */
function meanInProgress(duration: TestResult["metrics"][string] | undefined, rateMs: number): number {
  if (duration?.type !== "trend" || rateMs === 0) return 0;
  return (duration.values.count * duration.values.avg) / rateMs;
}

const percentiles = { p50: "p(50)", p90: "p(90)", p95: "p(95)", p99: "p(99)" } as const;

function timesOf(trend: TestResult["metrics"][string] | undefined): TrialTimes | null {
  if (trend?.type !== "trend" || trend.values.count === 0) return null;
  const { values, confidence = {}, censored } = trend;
  const percentileOf = (key: keyof typeof percentiles): number => values[percentiles[key]] ?? values.max;
  return {
    avg: values.avg,
    p50: percentileOf("p50"),
    p90: percentileOf("p90"),
    p95: percentileOf("p95"),
    p99: percentileOf("p99"),
    max: values.max,
    confidence: confidenceOf(confidence),
    lowerBoundFrom: censored?.from ?? null,
  };
}

function confidenceOf(confidence: NonNullable<TrendResult["confidence"]>): TrialTimes["confidence"] {
  return Object.fromEntries(
    Object.entries(percentiles).flatMap(([key, name]) => {
      const interval = confidence[name];
      return interval === undefined ? [] : [[key, interval]];
    }),
  );
}

function mostFrequent(errors: TestResult["errors"]): TrialResult["errors"] {
  const counts = new Map<string, number>();
  for (const { code, count } of errors) counts.set(code, (counts.get(code) ?? 0) + count);
  return Array.from(counts, ([code, count]) => ({ code, count }))
    .sort((left, right) => right.count - left.count)
    .slice(0, maxErrors);
}
