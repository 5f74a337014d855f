import { amountOf, formatLoad } from "@bearhug/metrics/results/load";
import type { TestResult } from "@bearhug/sdk";
import type { SweepResult, SweepTarget } from "@bearhug/sdk/result";
import { formatRate } from "@bearhug/text/number";

import { describeSteps, describeTarget, indexOfKnee, stepTable } from "../model/sweep.ts";
import type { Style } from "./style.ts";
import { tableLines } from "./table-section.ts";
import { renderAxis, renderTrack, type Scale, scaleOf } from "./time-track.ts";

/** Renders the steps of a sweep as a table and a chart, with their findings, for each target. */
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

const barColumns = 20;
const trackColumns = 24;

/**
 * Draws a line for each step: throughput as a bar from 0, and beside it p50 to p99 on a logarithmic scale.
 */
function renderSweepChart(target: SweepTarget, { loadUnit }: SweepResult, style: Style): string[] {
  const { steps } = target;
  const mostRate = Math.max(...steps.map(({ rate }) => rate));
  const scale = scaleOf(steps.map(({ times }) => times));
  const knee = indexOfKnee(target);
  const loads = steps.map((step) => formatLoad(amountOf(step.load), loadUnit));
  const rates = steps.map(({ rate }) => formatRate(rate));
  const [loadWidth, rateWidth] = [widest(loads), widest(rates)];
  const lines = steps.map((step, index) => {
    const bar = renderBar(mostRate === 0 ? 0 : step.rate / mostRate, style);
    const track = scale === null ? "" : renderTrack(step.times, scale, trackColumns, style);
    const mark = index === knee ? `  ${style.strong("knee")}` : "";
    const line = `  ${loads[index]?.padStart(loadWidth) ?? ""}  ${bar} ${rates[index]?.padEnd(rateWidth) ?? ""}  ${track}`;
    return `${line.trimEnd()}${mark}`;
  });
  return [renderTitle(loadWidth, rateWidth, scale, style), ...lines];
}

function renderTitle(loadWidth: number, rateWidth: number, scale: Scale | null, style: Style): string {
  const indent = " ".repeat(2 + loadWidth + 2);
  if (scale === null) return style.faint(`${indent}throughput`);
  return style.faint(
    `${indent}${"throughput".padEnd(barColumns + 1 + rateWidth)}  ${renderAxis(scale, trackColumns, style)}`,
  );
}

function renderBar(share: number, { symbols }: Style): string {
  const halves = Math.round(share * barColumns * 2);
  const bar = symbols.block.repeat(Math.floor(halves / 2)) + (halves % 2 === 1 ? symbols.halfBlock : "");
  return bar.padEnd(barColumns);
}

function widest(texts: readonly string[]): number {
  return Math.max(...texts.map(({ length }) => length));
}
