import { amountOf, formatLoad } from "@bearhug/metrics/results/load";
import type { TestResult } from "@bearhug/sdk";
import type { TrendResult } from "@bearhug/sdk/result";
import { formatBytes } from "@bearhug/text/bytes";
import { formatDuration } from "@bearhug/text/duration";
import { formatCount, formatRate } from "@bearhug/text/number";
import { formatPercent } from "@bearhug/text/percent";

import { expectedTimes, formatPercentile } from "../expected-times.ts";
import { generatorWord } from "../generator-verdict.ts";
import { describedStep, receivedRate, requestRate, timesMetric } from "../described-step.ts";
import type { Tone } from "../model/table.ts";
import type { Figure } from "./page-data.ts";

type Metrics = TestResult["metrics"];

/** Gathers the numbers at the top of the page; those without a measurement are left out. */
export function gatherFigures(result: TestResult): Figure[] {
  const { metrics } = result;
  return [
    ...capacity(result),
    ...overload(result),
    ...requests(result),
    ...failures(metrics),
    ...times(result),
    ...received(result),
    ...iterations(result),
    generator(result),
  ];
}

/** One number of the page, with a remark below it. */
export function figure(label: string, text: string, detail: string, tone: Tone = "plain"): Figure {
  return { label, text, detail, tone };
}

function capacity({ capacity: found }: TestResult): Figure[] {
  if (found === undefined) return [];
  const { answer, load, low, high, unit } = found;
  const showLoad = (value: number): string =>
    unit === "vus" ? `${formatCount(value)} VUs` : formatRate(value, 4);
  const ends = [
    ...(low === null ? [] : [`at least ${showLoad(low)}`]),
    ...(high === null ? [] : [`below ${showLoad(high)}`]),
  ];
  return [
    figure(
      "Capacity",
      answer === "found" && load !== null ? showLoad(load) : answer.replaceAll("-", " "),
      ends.length === 0 ? "no load was decided" : ends.join(", "),
      answer === "found" ? "good" : "warning",
    ),
  ];
}

const overloadTones = {
  holds: "good",
  sheds: "good",
  queues: "warning",
  collapses: "bad",
  unclear: "warning",
} as const;

function overload({ overload: past }: TestResult): Figure[] {
  if (past === undefined) return [];
  const { kind, rate, factor } = past;
  return [figure("Overload", kind, `at ${formatRate(rate * factor)}`, overloadTones[kind])];
}

function requests(result: TestResult): Figure[] {
  const made = result.metrics["http_reqs"];
  const rate = requestRate(result);
  if (made?.type !== "counter" || rate === null) return [];
  const step = describedStep(result);
  const where =
    step === undefined
      ? "in total"
      : `in the best step, at ${formatLoad(amountOf(step.load), result.sweep?.loadUnit ?? "vus")}`;
  return [figure("Requests", formatRate(rate), `${formatCount(made.values.count)} ${where}`)];
}

function failures({ http_req_failed: failed }: Metrics): Figure[] {
  if (failed?.type !== "rate") return [];
  const { rate, passes } = failed.values;
  return [
    figure(
      "Failed requests",
      formatPercent(rate),
      passes === 0 ? "none" : `${formatCount(passes)} requests`,
      passes === 0 ? "good" : "bad",
    ),
  ];
}

const percentiles = [
  ["p(50)", "Median time"],
  ["p(95)", "95th percentile"],
  ["p(99)", "99th percentile"],
] as const;

function times(result: TestResult): Figure[] {
  const metric = timesMetric(result);
  const duration = result.metrics[metric];
  if (duration?.type !== "trend") return [];
  const expected = expectedTimes(result).get(metric);
  return percentiles.flatMap(([key, label]): Figure[] => {
    const text = formatPercentile(duration, key);
    if (text === "") return [];
    if (expected === undefined) return [figure(label, text, describeInterval(duration, key))];
    const detail = `expected responses alone: ${formatPercentile(expected, key)}`;
    return [figure(`${label}, all requests`, text, detail)];
  });
}

function describeInterval({ confidence }: TrendResult, key: string): string {
  const interval = confidence?.[key];
  return interval === undefined
    ? "too few samples for an interval"
    : `95 % confidence: ${formatDuration(interval[0])} to ${formatDuration(interval[1])}`;
}

function received(result: TestResult): Figure[] {
  const bytes = result.metrics["data_received"];
  const rate = receivedRate(result);
  if (bytes?.type !== "counter" || rate === null) return [];
  return [figure("Received", `${formatBytes(rate)}/s`, `${formatBytes(bytes.values.count)} in total`)];
}

function iterations({ accounting: { iterations: counts } }: TestResult): Figure[] {
  if (counts.scheduled === 0) return [];
  const troubles = (["failed", "dropped", "interrupted", "lost"] as const).flatMap((key) =>
    counts[key] === 0 ? [] : [`${formatCount(counts[key])} ${key}`],
  );
  return [
    figure(
      "Iterations completed",
      formatCount(counts.completed),
      troubles.length === 0 ? "none failed or dropped" : troubles.join(", "),
      counts.failed + counts.lost > 0 ? "bad" : counts.dropped > 0 ? "warning" : "plain",
    ),
  ];
}

export const generatorTones: Readonly<Record<TestResult["generator"]["verdict"], Tone>> = {
  healthy: "good",
  strained: "warning",
  saturated: "bad",
};

function generator({ generator: { verdict }, durationMs }: TestResult): Figure {
  const text = generatorWord({ verdict }, durationMs);
  const details = { healthy: "it kept up with the load", "not judged": "the run was too short for that" };
  return figure(
    "Load generator",
    text,
    text === "healthy" || text === "not judged" ? details[text] : "it affected the times: see below",
    text === "not judged" ? "plain" : generatorTones[text],
  );
}
