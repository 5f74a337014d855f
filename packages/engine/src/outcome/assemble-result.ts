import type { Accumulator } from "@bearhug/metrics/accumulator";
import type { CheckFault, CheckFaultLog } from "@bearhug/metrics/check-faults";
import type { ErrorLog } from "@bearhug/metrics/error-log";
import { metricCatalog, type MetricInfo } from "@bearhug/metrics/metric-catalog";
import type { SeriesStore, StoredSeries } from "@bearhug/metrics/series-store";
import { censoredOf, summarizeMetric } from "@bearhug/metrics/summarize";
import { keyOfKept, type Tags } from "@bearhug/metrics/tags";
import type { ValidatedThreshold } from "@bearhug/metrics/thresholds/read-threshold";
import type {
  CheckResult,
  ClientInterval,
  ErrorResult,
  IntervalResult,
  MetricResult,
  SeriesResult,
  TestResult,
} from "@bearhug/sdk";
import type { CheckException } from "@bearhug/sdk/result";

import type { SeriesBlocks } from "./block-store.ts";
import type { Summarize } from "./merged-results.ts";
import type { ClientStretch, RunTimeline } from "./run-timeline.ts";
import type { RecordedPlan } from "./run-record.ts";
import type { Locate } from "./run.ts";
import { seriesRows, type SeriesRow } from "./series-rows.ts";

type DeclaredMetrics = Pick<RecordedPlan, "clients" | "metrics">;

export function checkResults(store: SeriesStore, faults: CheckFaultLog, locate: Locate): CheckResult[] {
  return store
    .groupBy(["check", "scenario", "page", "group"], (tags) => tags["check"] !== undefined)
    .flatMap(({ tags, metrics }) => {
      const rate = metrics.get("checks");
      if (rate?.type !== "rate") return [];
      const { check = "", scenario = "", page = null, group = null } = tags;
      const [passes, fails] = [rate.trues, rate.samples - rate.trues];
      const exception = describeException(faults.faultOf({ check, scenario, page, group }), locate);
      return [{ name: check, scenario, page, group, passes, fails, exception }];
    });
}

function describeException(fault: CheckFault | undefined, locate: Locate): CheckException | null {
  if (fault === undefined) return null;
  const { message, firstAtMs, count, position } = fault;
  const located = position === null ? null : locate(position);
  return { message, count, firstAtMs, source: located?.source ?? null, frame: located?.frame ?? null };
}

/** Returns the totals of every metric that has samples. */
export function metricResults(
  store: SeriesStore,
  plan: DeclaredMetrics,
  thresholds: readonly ValidatedThreshold[],
  durationMs: number,
): TestResult["metrics"] {
  const [total] = store.groupBy([]);
  return summarizeAll(total, metricCatalog(plan), thresholds, durationMs);
}

const timesOfRequests = ["http_req_duration", "http_req_response_time"];

/**
 * Returns the times of requests with an expected response, if others failed. The tag `expected_response`
 * distinguishes them.
 */
export function expectedResponses(
  store: SeriesStore,
  plan: DeclaredMetrics,
  thresholds: readonly ValidatedThreshold[],
  durationMs: number,
): Pick<TestResult, "expectedResponses"> {
  const isOf = (value: string) => (tags: Tags) => tags["expected_response"] === value;
  const failed = store.groupBy([], isOf("false"));
  const [expected] = failed.length === 0 ? [] : store.groupBy([], isOf("true"));
  const all = metricCatalog(plan);
  const times = new Map([...all].filter(([name]) => timesOfRequests.includes(name)));
  const results = summarizeAll(expected, times, thresholds, durationMs);
  return Object.keys(results).length === 0 ? {} : { expectedResponses: results };
}

/** Returns the metrics that have samples, with the percentiles that thresholds use. */
function summarizeAll(
  merged: StoredSeries | undefined,
  catalog: ReadonlyMap<string, MetricInfo>,
  thresholds: readonly ValidatedThreshold[],
  durationMs: number,
): TestResult["metrics"] {
  const results: Record<string, TestResult["metrics"][string]> = {};
  for (const [name, { unit }] of catalog) {
    const accumulator = merged?.metrics.get(name);
    if (accumulator === undefined) continue;
    const percentiles = thresholds.flatMap(({ selector: { metric }, condition: { aggregation } }) =>
      metric === name && aggregation.kind === "percentile" ? [aggregation.percentile] : [],
    );
    results[name] = summarizeMetric(accumulator, unit, durationMs, percentiles);
  }
  return results;
}

/** Returns the metrics that each client other than HTTP records. */
export function otherClients({ clients }: DeclaredMetrics): Pick<TestResult, "clients"> {
  const { http: _, ...others } = Object.fromEntries(
    clients.map(({ name, metrics }) => [name, Object.keys(metrics)]),
  );
  return Object.keys(others).length === 0 ? {} : { clients: others };
}

/**
 * The number of series, those with the most samples, that keep their histogram: otherwise a large result
 * would be mostly histograms.
 */
const maxHistograms = 1000;

/** Returns every series. */
export function seriesResults(
  store: SeriesStore,
  plan: DeclaredMetrics,
  summarize: Summarize,
  blocks: SeriesBlocks = new Map(),
): SeriesResult[] {
  const rows = seriesRows(store, metricCatalog(plan));
  const encoded = busiestTrends(rows);
  const describe = ({ metric, tags, accumulator }: SeriesRow): SeriesResult => {
    const summary = summarize(metric, accumulator);
    const histogram = encoded.get(accumulator) ?? null;
    const own = blocks.get(keyOfKept(tags))?.get(metric);
    const values = { ...summary.values };
    const row = { metric, tags, values, ...censoringOf(summary), histogram };
    return own === undefined ? row : { ...row, blocks: own };
  };
  return rows.map(describe);
}

function busiestTrends(rows: readonly SeriesRow[]): ReadonlyMap<Accumulator, string | null> {
  const trends = rows.flatMap(({ accumulator }) => (accumulator.type === "trend" ? [accumulator] : []));
  trends.sort((left, right) => right.count - left.count);
  return new Map(trends.slice(0, maxHistograms).map((trend) => [trend, trend.encode()]));
}

function censoringOf(summary: MetricResult): Pick<SeriesResult, "lowerBounds" | "censored"> {
  if (summary.type !== "trend" || summary.lowerBounds === undefined || summary.censored === undefined)
    return {};
  return { lowerBounds: summary.lowerBounds, censored: summary.censored };
}

/** Returns the intervals of the timeline. The last one ends with the run. */
export function intervalResults({ engine, clients }: RunTimeline, durationMs: number): IntervalResult[] {
  const { http, ...others } = Object.fromEntries(
    [...clients].map(([name, { intervals }]) => [name, intervals.map(clientInterval)]),
  );
  return engine.intervals.map(({ counts: { connections, ...counts } }, index) => {
    const { operations, failed, ...times } = http?.[index] ?? noOperations;
    const further = Object.entries(others).map(([name, of]) => [name, of[index] ?? noOperations] as const);
    return {
      ...extentOf(index, engine.widthMs, durationMs),
      ...counts,
      http_reqs: operations,
      http_reqs_failed: failed,
      ...times,
      ...(connections === 0 ? {} : { connections_opened: connections }),
      ...(further.length === 0 ? {} : { clients: Object.fromEntries(further) }),
    };
  });
}

const noOperations: ClientInterval = { operations: 0, failed: 0, duration: null, responseTime: null };

function clientInterval({ counts, spreads: { duration, responseTime } }: ClientStretch): ClientInterval {
  const durationCensored = censoredOf(duration);
  const responseTimeCensored = censoredOf(responseTime);
  return {
    ...counts,
    duration: duration.encode(),
    responseTime: responseTime.encode(),
    ...(durationCensored && { durationCensored }),
    ...(responseTimeCensored && { responseTimeCensored }),
  };
}

function extentOf(index: number, widthMs: number, durationMs: number): { atMs: number; widthMs: number } {
  const startMs = index * widthMs;
  // A late snapshot after the end of the run still gets an interval, of 1 ms.
  const atMs = Math.max(startMs + 1, Math.min(startMs + widthMs, durationMs));
  return { atMs, widthMs: atMs - startMs };
}

export function errorResults(errors: ErrorLog, locate: Locate): ErrorResult[] {
  return errors.all().map(({ origin, position, ...error }) => {
    const located = position === null ? null : locate(position);
    const { code, cause, message, count, firstAtMs, name } = error;
    const kept = { code, cause, message, count, firstAtMs: Math.max(0, firstAtMs), name };
    return { ...kept, ...(origin === undefined ? {} : { origin }), ...located };
  });
}
