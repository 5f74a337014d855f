import { readGaugeName } from "@bearhug/metrics/gauge-name";
import { formatInUnit } from "@bearhug/metrics/results/format-in-unit";
import type { GaugeReading, IntervalSnapshot, MonitorStanding } from "@bearhug/sdk";
import { cut } from "@bearhug/text/display-width";

import type { Style } from "../style.ts";
import { lineSection, type Section } from "./fit-height.ts";

/** Gauges that are shown before others. */
const important = ["cpu", "process_cpu", "memory_percent", "memory", "process_memory"];

/** A line for each monitor, with its latest readings or why there are none. */
export function monitorSection({ monitors = [] }: IntervalSnapshot, style: Style): Section[] {
  if (monitors.length === 0) return [];
  const nameColumns = Math.max(...monitors.map(({ name }) => name.length));
  const room = style.width - nameColumns - 4;
  const lines = monitors.map((monitor) => {
    const description = cut(style.text(describe(monitor, room)), room, style.symbols.ellipsis);
    const paint = monitor.gap === null ? (text: string) => text : style.warning;
    return `  ${style.text(monitor.name).padEnd(nameColumns)}  ${paint(description)}`;
  });
  return [lineSection(lines, 3)];
}

/** Describes as many readings as fit, the most important ones first. */
function describe({ gap, gauges }: MonitorStanding, room: number): string {
  if (gap !== null) return gap;
  const known = gauges.flatMap((one) => (one.value === null ? [] : [describeReading(one, one.value)]));
  return known
    .sort((left, right) => left.rank - right.rank)
    .reduce((line, { text }) => {
      const longer = line === "" ? text : `${line}, ${text}`;
      return longer.length <= room ? longer : line;
    }, "");
}

function describeReading(
  { metric, unit }: GaugeReading,
  value: number,
): { readonly rank: number; readonly text: string } {
  const gauge = readGaugeName(metric)?.gauge ?? metric;
  const rank = important.indexOf(gauge);
  return {
    rank: rank === -1 ? important.length : rank,
    text: `${gauge.replace(/_percent$/, "").replaceAll("_", " ")} ${formatInUnit(value, unit)}`,
  };
}
