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
    {
      label: "Capacity",
      text: answer === "found" && load !== null ? showLoad(load) : answer.replaceAll("-", " "),
      detail: ends.length === 0 ? "no load was decided" : ends.join(", "),
      tone: answer === "found" ? "good" : "warning",
    },
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
  return [
    {
      label: "Overload",
      text: kind,
      detail: `at ${formatRate(rate * factor)}`,
      tone: overloadTones[kind],
    },
  ];
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
  return [
    {
      label: "Requests",
      text: formatRate(rate),
      detail: `${formatCount(made.values.count)} ${where}`,
      tone: "plain",
    },
  ];
}

function failures({ http_req_failed: failed }: Metrics): Figure[] {
  if (failed?.type !== "rate") return [];
  const { rate, passes } = failed.values;
  return [
    {
      label: "Failed requests",
      text: formatPercent(rate),
      detail: passes === 0 ? "none" : `${formatCount(passes)} requests`,
      tone: passes === 0 ? "good" : "bad",
    },
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
    if (expected === undefined)
      return [{ label, text, detail: describeInterval(duration, key), tone: "plain" }];
    const detail = `expected responses alone: ${formatPercentile(expected, key)}`;
    return [{ label: `${label}, all requests`, text, detail, tone: "plain" }];
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
  return [
    {
      label: "Received",
      text: `${formatBytes(rate)}/s`,
      detail: `${formatBytes(bytes.values.count)} in total`,
      tone: "plain",
    },
  ];
}

function iterations({ accounting: { iterations: counts } }: TestResult): Figure[] {
  if (counts.scheduled === 0) return [];
  const troubles = (["failed", "dropped", "interrupted", "lost"] as const).flatMap((key) =>
    counts[key] === 0 ? [] : [`${formatCount(counts[key])} ${key}`],
  );
  return [
    {
      label: "Iterations completed",
      text: formatCount(counts.completed),
      detail: troubles.length === 0 ? "none failed or dropped" : troubles.join(", "),
      tone: counts.failed + counts.lost > 0 ? "bad" : counts.dropped > 0 ? "warning" : "plain",
    },
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
  return {
    label: "Load generator",
    text,
    detail: text === "healthy" || text === "not judged" ? details[text] : "it affected the times: see below",
    tone: text === "not judged" ? "plain" : generatorTones[text],
  };
}
