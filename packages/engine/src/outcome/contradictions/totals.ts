import { sumBy } from "@bearhug/metrics/sum";
import type { IntervalResult, MetricResult, SeriesResult, TestResult } from "@bearhug/sdk";

import { isClose, outside, unequal, type Contradiction } from "./contradiction.ts";
import { wrongHistograms } from "./histograms.ts";
import { seriesOf, mergeSeries } from "./merge-series.ts";

/**
 * Finds totals that differ from the sum of series, intervals, checks or accounting, and rates that do not
 * follow from counts.
 */
export function wrongTotals(result: TestResult): Contradiction[] {
  const { metrics, durationMs } = result;
  const ofMetrics = Object.entries(metrics).flatMap(([name, metric]) => [
    ...wrongRate(`metrics.${name}.values`, metric, durationMs),
    ...wrongSeries(`metrics.${name}`, metric, seriesOf(result, name)),
  ]);
  return [
    ...ofMetrics,
    ...wrongExpected(result),
    ...wrongHistograms(result),
    ...wrongIntervals(result),
    ...wrongChecks(result),
    ...wrongCounts(result),
  ];
}

function wrongRate(path: string, metric: MetricResult, durationMs: number): Contradiction[] {
  if (metric.type === "counter") {
    const { count, rate } = metric.values;
    const perSecond = durationMs > 0 ? (count / durationMs) * 1000 : 0;
    return unequal(`${path}.rate`, rate, perSecond, "count per second of durationMs");
  }
  if (metric.type === "rate") {
    const { rate, passes, fails } = metric.values;
    return unequal(`${path}.rate`, rate, passes / (passes + fails), "the share of passes");
  }
  return metric.type === "trend" ? wrongOrder(path, { ...metric.values }) : [];
}

/** Finds percentiles that are below a lower percentile, or outside of the minimum and maximum. */
function wrongOrder(path: string, values: Readonly<Record<string, number>>): Contradiction[] {
  const percentiles = Object.entries(values).flatMap(([key, value]) => {
    const percentile = /^p\((.+)\)$/.exec(key)?.[1];
    return percentile === undefined ? [] : [{ key, percentile: Number(percentile), value }];
  });
  percentiles.sort((left, right) => left.percentile - right.percentile);
  const ladder = [
    { key: "min", value: values["min"] ?? 0 },
    ...percentiles,
    { key: "max", value: values["max"] ?? 0 },
  ];
  return ladder.flatMap(({ key, value }, index) => {
    const below = ladder[index - 1];
    if (below === undefined || value >= below.value || isClose(value, below.value)) return [];
    return [{ path: `${path}.${key}`, message: `is ${value}, but ${below.key} is ${below.value}` }];
  });
}

function wrongExpected(result: TestResult): Contradiction[] {
  return Object.entries(result.expectedResponses ?? {}).flatMap(([name, metric]) => {
    const path = `expectedResponses.${name}`;
    const series = seriesOf(result, name).filter(({ tags }) => tags["expected_response"] === "true");
    return [...wrongRate(`${path}.values`, metric, result.durationMs), ...wrongSeries(path, metric, series)];
  });
}

function wrongSeries(path: string, metric: MetricResult, series: readonly SeriesResult[]): Contradiction[] {
  if (series.length === 0 || metric.type === "gauge") return [];
  const merged = mergeSeries(series);
  const values: Readonly<Record<string, number>> = { ...metric.values };
  return Object.entries(values).flatMap(([key, value]) => {
    const range = merged.get(key);
    return range === undefined ? [] : outside(`${path}.values.${key}`, value, range, "its series");
  });
}

function wrongIntervals({ metrics, intervals }: TestResult): Contradiction[] {
  const sumOf = (of: (interval: IntervalResult) => number): number => sumBy(intervals, of);
  const failed = metrics["http_req_failed"];
  const what = "the total of the intervals";
  return [
    ...unequal(
      "metrics.http_req_failed.values.passes",
      failed?.type === "rate" ? failed.values.passes : 0,
      sumOf((interval) => interval.http_reqs_failed),
      what,
    ),
    ...(
      [
        ["http_reqs", sumOf((interval) => interval.http_reqs)],
        ["iterations", sumOf((interval) => interval.iterations)],
        ["dropped_iterations", sumOf((interval) => interval.dropped)],
        ["data_received", sumOf((interval) => interval.bytes)],
      ] as const
    ).flatMap(([name, total]) =>
      unequal(`metrics.${name}.values.count`, countOf(metrics, name), total, what),
    ),
  ];
}

function wrongChecks({ metrics, checks }: TestResult): Contradiction[] {
  const total = metrics["checks"];
  const values = total?.type === "rate" ? total.values : { passes: 0, fails: 0 };
  const sum = (key: "passes" | "fails"): number => sumBy(checks, (check) => check[key]);
  return [
    ...unequal("metrics.checks.values.passes", values.passes, sum("passes"), "the total of checks"),
    ...unequal("metrics.checks.values.fails", values.fails, sum("fails"), "the total of checks"),
    ...checks.flatMap(({ fails, exception }, index) =>
      exception === null || exception.count <= fails
        ? []
        : [
            {
              path: `checks[${index}].exception.count`,
              message: `is ${exception.count}, but fails is ${fails}`,
            },
          ],
    ),
  ];
}

/** Compares counts with samples, unless a worker was lost: it may have counted more than it reported. */
function wrongCounts({ accounting, metrics, generator, truncated }: TestResult): Contradiction[] {
  const { iterations } = accounting;
  const requests = accounting.requests.filter(({ client }) => client === undefined);
  const isComplete = !truncated && generator.workers.every(({ lost }) => lost === null);
  if (!isComplete || iterations.lost > 0) return [];
  const sum = (key: "succeeded" | "failed"): number => sumBy(requests, (row) => row[key]);
  const failed = metrics["http_req_failed"];
  const [made, ended] = [sum("succeeded") + sum("failed"), iterations.completed + iterations.failed];
  const requested = countOf(metrics, "http_reqs");
  return [
    ...unequal(
      "metrics.http_reqs.values.count",
      requested,
      made,
      "succeeded + failed of accounting.requests",
    ),
    ...unequal(
      "metrics.http_req_failed.values.passes",
      failed?.type === "rate" ? failed.values.passes : 0,
      sum("failed"),
      "failed of accounting.requests",
    ),
    ...unequal(
      "metrics.iterations.values.count",
      countOf(metrics, "iterations"),
      ended,
      "completed + failed of accounting.iterations",
    ),
    ...unequal(
      "metrics.dropped_iterations.values.count",
      countOf(metrics, "dropped_iterations"),
      iterations.dropped,
      "dropped of accounting.iterations",
    ),
  ];
}

function countOf(metrics: TestResult["metrics"], name: string): number {
  const metric = metrics[name];
  return metric?.type === "counter" ? metric.values.count : 0;
}
