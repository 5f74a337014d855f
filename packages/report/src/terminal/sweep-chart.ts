import type { SweepResult, SweepTarget } from "@bearhug/sdk/result";
import { formatLoad } from "@bearhug/text/load";
import { formatRate } from "@bearhug/text/number";

import { indexOfKnee, loadOfStep } from "../model/sweep.ts";
import type { Style } from "./style.ts";
import { renderAxis, renderTrack, type Scale, scaleOf } from "./time-track.ts";

const barColumns = 20;
const trackColumns = 24;

/** A line for each step: throughput as a bar from 0, and beside it p50 to p99 on a logarithmic scale. */
export function renderSweepChart(target: SweepTarget, { loadUnit }: SweepResult, style: Style): string[] {
  const { steps } = target;
  const mostRate = Math.max(...steps.map(({ rate }) => rate));
  const scale = scaleOf(steps.map(({ times }) => times));
  const knee = indexOfKnee(target);
  const loads = steps.map((step) => formatLoad(loadOfStep(step), loadUnit));
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
