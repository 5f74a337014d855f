import { formatInUnit } from "@bearhug/metrics/results/format-in-unit";
import { mean } from "@bearhug/metrics/statistics";
import type { TestResult } from "@bearhug/sdk";
import type { MonitoredGauge, MonitorResult } from "@bearhug/sdk/result";
import { formatDuration, formatPlanned } from "@bearhug/text/duration";
import { formatPercent } from "@bearhug/text/percent";

import { readSeconds } from "../overload/read-seconds.ts";
import { findRise, shownAfter, type Rise } from "./find-rise.ts";

/** The memory usage from which memory is mentioned. */
const scarceMemoryPercent = 90;

/**
 * Describes in one sentence how busy monitored machines were when response times rose: "when p95 rose from 20
 * ms to 380 ms, 20 s into the load, server.cpu was at 98 % (before: 43 %); …". It states what coincided,
 * never a cause. Returns null if response times did not rise, or no monitor has CPU or memory.
 */
export function attributeRise(
  result: Pick<TestResult, "intervals" | "monitors" | "generator">,
): string | null {
  if (result.monitors.length === 0) return null;
  const seconds = readSeconds(result);
  const rise = findRise(seconds.map(({ p95 }) => p95));
  const first = seconds[rise?.at ?? 0];
  if (rise === null || first === undefined) return null;
  const sentences = result.monitors.flatMap((monitor) => describeMonitor(monitor, rise));
  if (sentences.length === 0) return null;
  const when = `when p95 rose from ${formatDuration(rise.before)} to ${formatDuration(rise.after)}, ${formatPlanned(first.fromMs)} into the load`;
  return `${when}, ${listed(sentences)}${describeGenerator(result.generator)}`;
}

/**
 * Describes the CPU of a monitored machine, or else of the process, and its memory if that was nearly used
 * up.
 */
function describeMonitor({ name, gauges }: MonitorResult, rise: Rise): string[] {
  const gaugeOf = (gauge: string): MonitoredGauge | undefined =>
    gauges.find(({ metric, unit }) => metric === `${name}.${gauge}` && unit === "%");
  const cpu = gaugeOf("cpu") ?? gaugeOf("process_cpu");
  const memory = gaugeOf("memory_percent");
  const isScarce = memory !== undefined && (readAt(memory, rise) ?? 0) >= scarceMemoryPercent;
  return [cpu, ...(isScarce ? [memory] : [])].flatMap((gauge) =>
    gauge === undefined ? [] : describeGauge(gauge, rise),
  );
}

function describeGauge(gauge: MonitoredGauge, rise: Rise): string[] {
  const at = readAt(gauge, rise);
  if (at === null) return [`${gauge.metric} was not read`];
  const before = meanOf(gauge.points.slice(0, rise.at));
  const compared = before === null ? "" : ` (before: ${formatInUnit(before, gauge.unit)})`;
  return [`${gauge.metric} was at ${formatInUnit(at, gauge.unit)}${compared}`];
}

function readAt({ points }: MonitoredGauge, { at }: Rise): number | null {
  return meanOf(points.slice(at, at + shownAfter));
}

function meanOf(points: readonly (number | null)[]): number | null {
  const read = points.filter((point) => point !== null);
  return read.length === 0 ? null : mean(read);
}

/** Describes how busy the generator was over the whole run, because its health is not recorded over time. */
function describeGenerator({ workers }: TestResult["generator"]): string {
  const busy = workers.flatMap(({ utilization }) => utilization ?? []);
  if (busy.length === 0) return "";
  const most = formatPercent(Math.max(...busy), 0);
  return `; the generator was busy ${most} of the run`;
}

function listed(sentences: readonly string[]): string {
  return sentences.length < 2
    ? sentences.join("")
    : `${sentences.slice(0, -1).join(", ")} and ${sentences.at(-1) ?? ""}`;
}
