import { sumBy, sumFigures } from "@bearhug/metrics/sum";
import type { IntervalResult, MetricResult, SeriesResult, TestResult } from "@bearhug/sdk";

import { claim, isClose, outside, unequal, type Contradiction } from "./contradiction.ts";
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
    if (below === undefined) return [];
    const isAbove = value >= below.value || isClose(value, below.value);
    return claim(isAbove, `${path}.${key}`, `is ${value}, but ${below.key} is ${below.value}`);
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
  const wrongCountOf = (name: string, of: (interval: IntervalResult) => number): Contradiction[] =>
    wrongCount(metrics, name, sumBy(intervals, of), "the total of the intervals");
  return [
    ...wrongCountOf("http_req_failed", (interval) => interval.http_reqs_failed),
    ...wrongCountOf("http_reqs", (interval) => interval.http_reqs),
    ...wrongCountOf("iterations", (interval) => interval.iterations),
    ...wrongCountOf("dropped_iterations", (interval) => interval.dropped),
    ...wrongCountOf("data_received", (interval) => interval.bytes),
  ];
}

function wrongChecks({ metrics, checks }: TestResult): Contradiction[] {
  const total = metrics["checks"];
  const values = total?.type === "rate" ? total.values : { passes: 0, fails: 0 };
  const sums = sumFigures(checks, "passes", "fails");
  return [
    ...unequal("metrics.checks.values.passes", values.passes, sums.passes, "the total of checks"),
    ...unequal("metrics.checks.values.fails", values.fails, sums.fails, "the total of checks"),
    ...checks.flatMap(({ fails, exception }, index) =>
      exception === null
        ? []
        : claim(
            exception.count <= fails,
            `checks[${index}].exception.count`,
            `is ${exception.count}, but fails is ${fails}`,
          ),
    ),
  ];
}

/** Compares counts with samples, unless a worker was lost: it may have counted more than it reported. */
function wrongCounts({ accounting, metrics, generator, truncated }: TestResult): Contradiction[] {
  const { iterations } = accounting;
  const requests = accounting.requests.filter(({ client }) => client === undefined);
  const isComplete = !truncated && generator.workers.every(({ lost }) => lost === null);
  if (!isComplete || iterations.lost > 0) return [];
  const { succeeded, failed } = sumFigures(requests, "succeeded", "failed");
  const inRequests = "of accounting.requests";
  const inIterations = "of accounting.iterations";
  const made = succeeded + failed;
  const ended = iterations.completed + iterations.failed;
  return [
    ...wrongCount(metrics, "http_reqs", made, `succeeded + failed ${inRequests}`),
    ...wrongCount(metrics, "http_req_failed", failed, `failed ${inRequests}`),
    ...wrongCount(metrics, "iterations", ended, `completed + failed ${inIterations}`),
    ...wrongCount(metrics, "dropped_iterations", iterations.dropped, `dropped ${inIterations}`),
  ];
}

/** Compares the number of samples of a counter, or of failed requests. */
function wrongCount(
  metrics: TestResult["metrics"],
  name: string,
  expected: number,
  what: string,
): Contradiction[] {
  const metric = metrics[name];
  const path = `metrics.${name}.values`;
  if (name === "http_req_failed")
    return unequal(`${path}.passes`, metric?.type === "rate" ? metric.values.passes : 0, expected, what);
  return unequal(`${path}.count`, metric?.type === "counter" ? metric.values.count : 0, expected, what);
}
