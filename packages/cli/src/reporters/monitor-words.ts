import type { TestResult } from "@bearhug/sdk";
import type { MonitoredGauge, MonitorResult } from "@bearhug/sdk/internal";

import { formatPlanned } from "../format/duration.ts";
import { formatInUnit } from "../format/in-unit.ts";

/** The titles of a monitored gauge's figures. */
export const gaugeTitles = ["avg", "min", "max", "last"] as const;

/** The figures of a monitored gauge, one for each of {@link gaugeTitles}. */
export function gaugeFigures({ unit, values }: MonitoredGauge): { text: string; value: number }[] {
  const { avg, min, max, value: last } = values;
  return [avg, min, max, last].map((value) => ({ text: formatInUnit(value, unit), value }));
}

/** All monitored gauges of a run, in the order of its monitors. */
export function gaugesOf({ monitors }: Pick<TestResult, "monitors">): readonly MonitoredGauge[] {
  return monitors.flatMap(({ gauges }) => gauges);
}

/** A sentence for each monitor that could not be read all the time. */
export function describeGaps({ monitors }: Pick<TestResult, "monitors">): string[] {
  return monitors.flatMap((monitor) => describeGapsOf(monitor) ?? []);
}

function describeGapsOf({ name, gauges, gaps }: MonitorResult): string | null {
  const [first, ...others] = gaps;
  if (gauges.length === 0) return `${name} was never read${first === undefined ? "" : `: ${first.reason}`}`;
  if (first === undefined) return null;
  const missingMs = gaps.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);
  const stretch = `from ${formatPlanned(first.fromMs)} to ${formatPlanned(first.toMs)}`;
  return others.length === 0
    ? `${name} was not read ${stretch}: ${first.reason}`
    : `${name} was not read for ${formatPlanned(missingMs)} in ${gaps.length} gaps, first ${stretch}: ${first.reason}`;
}
