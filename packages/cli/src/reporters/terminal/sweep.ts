import type { TestResult } from "@bearhug/sdk";
import type { SweepResult, SweepTarget } from "@bearhug/sdk/internal";

import { formatLoad } from "../../format/load.ts";
import type { Column, Row } from "../../format/table.ts";
import { describeSteps, describeTarget, stepCells, stepTitles } from "../sweep-words.ts";
import { renderSweepChart } from "./sweep-chart.ts";
import type { Style } from "./style.ts";

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
    ...renderSteps(target, sweep, style),
    ...(target.steps.length > 1 ? ["", ...renderSweepChart(target, sweep, style)] : []),
    "",
    ...sentences.flatMap((text) => style.paragraph(style.text(text), { hang: 2 })),
  ];
}

/** The column with the share of failures. */
const failedColumn = 5;
/** Columns to leave out on a narrow terminal; the lowest goes first. Those of monitors and the generator follow. */
const keep: readonly (number | undefined)[] = [undefined, undefined, 6, 4, undefined, 5, 1];
const keepGauge = 2;
const keepGenerator = 3;

function renderSteps({ steps }: SweepTarget, sweep: SweepResult, style: Style): string[] {
  if (steps.length === 0) return [];
  const titles = stepTitles(sweep, steps);
  const generator = titles.length - 1;
  const columns = titles.map((title, index): Column => {
    const later = index === generator ? keepGenerator : keepGauge;
    const rank = index < keep.length ? keep[index] : later;
    return { title, align: "right", ...(rank !== undefined && { keep: rank }) };
  });
  const rows = steps.map((step): Row => {
    const isDoubtful = step.failedShare > 0;
    return stepCells(step, sweep.loadUnit, steps).map((text, index) => {
      if (index === failedColumn && isDoubtful) return { text, paint: style.bad };
      if (index === generator && !["healthy", "not judged"].includes(text))
        return { text, paint: style.warning };
      return text;
    });
  });
  return style.table(columns, rows);
}
