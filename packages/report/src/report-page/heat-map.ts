import type uPlot from "uplot";

import type { HeatMapData } from "../html/page-data.ts";
import { type ChartData, ChartFrame } from "./chart-frame.ts";
import { formatMoment, formatTime } from "./chart-numbers.ts";
import { axis, currentPalette, draw, logarithmic } from "./plots.ts";
import type { SharedAxis } from "./shared-axis.ts";

/** Creates the heat map of request durations over the time of the run. */
export function createHeatMap(data: HeatMapData, seconds: readonly number[], time: SharedAxis): HTMLElement {
  const { title, note, boundsMs } = data;
  const frame = new ChartFrame({
    id: "heat-map",
    title,
    note,
    legend: [],
    data: numbersOf(data, seconds),
  });
  const { cursor, hooks } = time.options();
  const options: Omit<uPlot.Options, "width" | "height"> = {
    ...(cursor && { cursor }),
    hooks: {
      ...hooks,
      drawClear: [(plot) => paintCells(plot, data, seconds)],
      setCursor: [(plot) => showCell(plot, data, seconds, frame)],
    },
    scales: {
      x: { time: false, range: time.range },
      y: { ...logarithmic, range: [boundsMs[0] ?? 1, boundsMs.at(-1) ?? 10] },
    },
    axes: [
      axis("x", formatMoment, { incrs: [...time.axis.steps], grid: { show: false } }),
      axis("y", (value) => (isPowerOfTen(value) ? formatTime(value) : ""), { grid: { show: false } }),
    ],
    series: [{}, { show: true, paths: () => null, points: { show: false } }],
  };
  queueMicrotask(() => {
    const nothing = seconds.map(() => boundsMs[0] ?? 1);
    time.join(draw(frame.plot, options, [[...seconds], nothing]), frame.plot);
  });
  return frame.root;
}

function numbersOf({ boundsMs, cells }: HeatMapData, seconds: readonly number[]): ChartData {
  return {
    columns: ["time", "from", "to", "requests"],
    rows: () =>
      cells.flatMap((column, at) =>
        column.map(([row, count]) => [
          formatMoment(seconds[at] ?? 0),
          formatTime(boundsMs[row] ?? 0),
          formatTime(boundsMs[row + 1] ?? 0),
          String(count),
        ]),
      ),
  };
}

function isPowerOfTen(value: number): boolean {
  return Number.isInteger(Math.round(Math.log10(value) * 1e6) / 1e6);
}

/**
 * Paints cells relative to the fullest cell of all, on a logarithmic scale that shows single requests.
 * Relative to the fullest cell of each column, they would show noise.
 */
function paintCells(plot: uPlot, { boundsMs, cells }: HeatMapData, seconds: readonly number[]): void {
  const { ctx, bbox } = plot;
  const most = Math.log1p(cells.flat().reduce((top, [, count]) => Math.max(top, count), 1));
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  ctx.fillStyle = currentPalette().heat;
  for (const [at, column] of cells.entries()) {
    const left = Math.round(plot.valToPos(seconds[at - 1] ?? 0, "x", true));
    const right = Math.round(plot.valToPos(seconds[at] ?? 0, "x", true));
    for (const [row, count] of column) {
      const bottom = Math.round(plot.valToPos(boundsMs[row] ?? 1, "y", true));
      const top = Math.round(plot.valToPos(boundsMs[row + 1] ?? 1, "y", true));
      ctx.globalAlpha = 0.12 + (0.88 * Math.log1p(count)) / most;
      ctx.fillRect(left, top, Math.max(1, right - left), Math.max(1, bottom - top));
    }
  }
  ctx.restore();
}

/** Shows how many requests are in the cell at the cursor. */
function showCell(plot: uPlot, data: HeatMapData, seconds: readonly number[], frame: ChartFrame): void {
  const { idx, top = -1 } = plot.cursor;
  if (idx === null || idx === undefined) {
    frame.showValues("", []);
    return;
  }
  const cell = top < 0 ? "" : describeCell(data, idx, plot.posToVal(top, "y"));
  frame.showValues(`at ${formatMoment(seconds[idx] ?? 0)}${cell}`, []);
}

function describeCell({ boundsMs, cells }: HeatMapData, at: number, ms: number): string {
  const row = boundsMs.findLastIndex((bound) => bound <= ms);
  const [low, high] = [boundsMs[row], boundsMs[row + 1]];
  if (low === undefined || high === undefined) return "";
  const count = cells[at]?.find(([one]) => one === row)?.[1] ?? 0;
  return `, ${formatTime(low)} to ${formatTime(high)}: ${count} requests`;
}
