import { formatInUnit } from "@bearhug/metrics/results/format-in-unit";
import { sumBy } from "@bearhug/metrics/sum";
import type { TestResult } from "@bearhug/sdk";
import type { MonitoredGauge, MonitorResult } from "@bearhug/sdk/result";
import { formatPlanned } from "@bearhug/text/duration";

import { name, number, type Table } from "./table.ts";

/** Returns the table of the figures of each monitored gauge. */
export function gaugeTable(result: Pick<TestResult, "monitors">): Table {
  return {
    id: "monitors",
    title: "Monitors",
    note: "",
    columns: [name("gauge"), number("avg"), number("min", 1), number("max"), number("last", 2)],
    rows: gaugesOf(result).map(({ metric, unit, values: { avg, min, max, value: last } }) => ({
      cells: [
        { text: metric },
        ...[avg, min, max, last].map((value) => ({ text: formatInUnit(value, unit), value })),
      ],
    })),
  };
}

/** Returns all monitored gauges of a run, in the order of its monitors. */
export function gaugesOf({ monitors }: Pick<TestResult, "monitors">): readonly MonitoredGauge[] {
  return monitors.flatMap(({ gauges }) => gauges);
}

/** Returns a sentence for each monitor that could not be read all the time. */
export function describeGaps({ monitors }: Pick<TestResult, "monitors">): string[] {
  return monitors.flatMap((monitor) => describeGapsOf(monitor) ?? []);
}

function describeGapsOf({ name: monitor, gauges, gaps }: MonitorResult): string | null {
  const [first, ...others] = gaps;
  if (gauges.length === 0)
    return `${monitor} was never read${first === undefined ? "" : `: ${first.reason}`}`;
  if (first === undefined) return null;
  const missingMs = sumBy(gaps, ({ fromMs, toMs }) => toMs - fromMs);
  const stretch = `from ${formatPlanned(first.fromMs)} to ${formatPlanned(first.toMs)}`;
  return others.length === 0
    ? `${monitor} was not read ${stretch}: ${first.reason}`
    : `${monitor} was not read for ${formatPlanned(missingMs)} in ${gaps.length} gaps, first ${stretch}: ${first.reason}`;
}
