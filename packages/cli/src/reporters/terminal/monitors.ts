import type { TestResult } from "@bearhug/sdk";

import { describeGaps, gaugeFigures, gaugesOf, gaugeTitles } from "../monitor-words.ts";
import type { Style } from "./style.ts";

const columns = [
  { title: "", shrinks: true },
  ...gaugeTitles.map((title) => ({
    title,
    align: "right" as const,
    ...(title === "min" && { keep: 1 }),
    ...(title === "last" && { keep: 2 }),
  })),
];

/** The gauges of servers and processes beside the load, and when they could not be read. */
export function renderMonitors(result: TestResult, style: Style): string[] {
  if (result.monitors.length === 0) return [];
  const rows = gaugesOf(result).map((gauge) => [
    style.text(gauge.metric),
    ...gaugeFigures(gauge).map(({ text }) => text),
  ]);
  return [
    style.heading("Monitors"),
    ...(rows.length === 0 ? [] : style.table(columns, rows)),
    ...describeGaps(result).flatMap((sentence) =>
      style.paragraph(style.text(sentence), { lead: `${style.symbols.warning} `, paint: style.warning }),
    ),
  ];
}
