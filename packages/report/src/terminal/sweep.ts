import type { TestResult } from "@bearhug/sdk";
import type { SweepResult, SweepTarget } from "@bearhug/sdk/result";
import { formatLoad } from "@bearhug/text/load";

import { describeSteps, describeTarget, stepTable } from "../model/sweep.ts";
import { renderSweepChart } from "./sweep-chart.ts";
import type { Style } from "./style.ts";
import { tableLines } from "./table-section.ts";

/** The steps of a sweep as a table and a chart, and what they tell: for each target. */
export function renderSweep({ sweep }: TestResult, style: Style): string[] {
  if (sweep === undefined) return [];
  const { described, loadUnit, targets } = sweep;
  const shown =
    described === null
      ? []
      : [
          `the other sections show the best step, at ${formatLoad(described.load, loadUnit)}${targets.length > 1 ? ` of ${style.text(described.target)}` : ""}`,
        ];
  return [
    style.heading("Sweep", "response times in ms"),
    ...style.pieces([describeSteps(sweep), ...shown]),
    ...targets.flatMap((target) => ["", ...renderTarget(target, sweep, style)]),
  ];
}

function renderTarget(target: SweepTarget, sweep: SweepResult, style: Style): string[] {
  const { loadUnit, targets } = sweep;
  const sentences = describeTarget(target, loadUnit);
  return [
    ...(targets.length > 1 ? [`  ${style.strong(style.text(target.name))}`] : []),
    ...tableLines(stepTable(sweep, [target]), style),
    ...(target.steps.length > 1 ? ["", ...renderSweepChart(target, sweep, style)] : []),
    "",
    ...sentences.flatMap((text) => style.paragraph(style.text(text), { hang: 2 })),
  ];
}
