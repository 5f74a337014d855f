import type { SweepResult, SweepTarget, TrialResult } from "@bearhug/sdk/internal";

import { formatMilliseconds } from "../../format/duration.ts";
import { formatLoad } from "../../format/load.ts";
import { formatRate } from "../../format/number.ts";
import { indexOfKnee, loadOfStep } from "../model/sweep.ts";
import type { Style } from "./style.ts";

const barColumns = 20;
const trackColumns = 24;

/** A line for each step: throughput as a bar from 0, and beside it p50 to p99 on a logarithmic scale. */
export function renderSweepChart(target: SweepTarget, { loadUnit }: SweepResult, style: Style): string[] {
  const { steps } = target;
  const mostRate = Math.max(...steps.map(({ rate }) => rate));
  const scale = scaleOf(steps);
  const knee = indexOfKnee(target);
  const loads = steps.map((step) => formatLoad(loadOfStep(step), loadUnit));
  const rates = steps.map(({ rate }) => formatRate(rate));
  const [loadWidth, rateWidth] = [widest(loads), widest(rates)];
  const lines = steps.map((step, index) => {
    const bar = renderBar(mostRate === 0 ? 0 : step.rate / mostRate, style);
    const track = scale === null ? "" : renderTrack(step, scale, style);
    const mark = index === knee ? `  ${style.strong("knee")}` : "";
    const line = `  ${loads[index]?.padStart(loadWidth) ?? ""}  ${bar} ${rates[index]?.padEnd(rateWidth) ?? ""}  ${track}`;
    return `${line.trimEnd()}${mark}`;
  });
  return [renderTitle(loadWidth, rateWidth, scale, style), ...lines];
}

/** The shortest and the longest time that are drawn, in ms. */
type Scale = readonly [least: number, most: number];

function scaleOf(steps: readonly TrialResult[]): Scale | null {
  const times = steps.flatMap((step) => (step.times === null ? [] : [step.times.p50, step.times.p99]));
  const drawn = times.filter((ms) => ms > 0);
  if (drawn.length === 0) return null;
  const [least, most] = [Math.min(...drawn), Math.max(...drawn)];
  // Times that hardly differ must not seem to.
  return [least, Math.max(most, least * 2)];
}

function renderTitle(
  loadWidth: number,
  rateWidth: number,
  scale: Scale | null,
  { faint, symbols }: Style,
): string {
  const indent = " ".repeat(2 + loadWidth + 2);
  if (scale === null) return faint(`${indent}throughput`);
  const [least, most] = scale.map((ms) => `${formatMilliseconds(ms)} ms`);
  const room = trackColumns - (least?.length ?? 0) - (most?.length ?? 0);
  const title = ` p50${symbols.to}p99 `;
  const left = Math.max(0, Math.floor((room - title.length) / 2));
  const right = Math.max(0, room - title.length - left);
  const axis = `${least ?? ""}${" ".repeat(left)}${title}${" ".repeat(right)}${most ?? ""}`;
  return faint(`${indent}${"throughput".padEnd(barColumns + 1 + rateWidth)}  ${axis}`);
}

function renderBar(share: number, { symbols }: Style): string {
  const halves = Math.round(share * barColumns * 2);
  const bar = symbols.block.repeat(Math.floor(halves / 2)) + (halves % 2 === 1 ? symbols.halfBlock : "");
  return bar.padEnd(barColumns);
}

/** From p50 to p99, with p90 between them. */
function renderTrack({ times }: TrialResult, [least, most]: Scale, { symbols }: Style): string {
  if (times === null) return " ".repeat(trackColumns);
  const place = (ms: number): number => {
    const share = Math.log(Math.max(ms, least) / least) / Math.log(most / least);
    return Math.round(Math.min(1, share) * (trackColumns - 1));
  };
  const [from, middle, to] = [place(times.p50), place(times.p90), place(times.p99)];
  const drawn = Array.from({ length: trackColumns }, (_, column) => {
    if (column === from && from < to) return symbols.rangeStart;
    if (column === to && from < to) return symbols.rangeEnd;
    if (column === middle) return symbols.rangeMiddle;
    return column > from && column < to ? symbols.rangeLine : " ";
  });
  return drawn.join("");
}

function widest(texts: readonly string[]): number {
  return Math.max(...texts.map(({ length }) => length));
}
