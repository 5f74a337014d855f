import type uPlot from "uplot";

import type { PercentileData } from "../html/page-data.ts";
import { ChartFrame } from "./chart-frame.ts";
import { formatPercentile, formatTime } from "./chart-numbers.ts";
import { axis, baseStroke, currentPalette, draw, logarithmic } from "./plots.ts";

/** The percentiles that the axis labels. */
const labelled = [0, 50, 75, 90, 95, 99, 99.9, 99.99, 99.999, 99.9999];

/** Creates the curve of a distribution, with the band of its confidence. */
export function createPercentileChart(data: PercentileData): HTMLElement {
  const { title, note, percentiles, valuesMs, lowMs, highMs, baseMs } = data;
  const hasBase = baseMs !== null;
  let plot: uPlot | null = null;
  const toggle = (series: number) => (isShown: boolean) => plot?.setSeries(series, { show: isShown });
  const frame = new ChartFrame({
    id: "percentiles",
    title,
    note,
    legend: hasBase
      ? [
          { label: "new", color: 1, setShown: toggle(1) },
          { label: "base", color: 1, isDashed: true, setShown: toggle(4) },
        ]
      : [],
    data: {
      columns: ["percentile", "duration", "at least", "at most", ...(hasBase ? ["base"] : [])],
      rows: () =>
        percentiles.map((percentile, at) => [
          formatPercentile(percentile),
          ...[valuesMs, lowMs, highMs, ...(hasBase ? [baseMs] : [])].map((all) => showTime(all[at])),
        ]),
    },
  });
  const show = ({ cursor: { idx } }: uPlot): void => {
    if (idx === null || idx === undefined) {
      frame.showValues("", []);
      return;
    }
    const [low, high] = [lowMs[idx], highMs[idx]].map(showTime);
    const interval = lowMs[idx] === null ? "" : ` (95 % confidence: ${low} to ${high})`;
    const place = formatPercentile(percentiles[idx] ?? 0);
    if (hasBase)
      frame.showValues(
        `${place}${interval}`,
        [valuesMs, baseMs].map((all) => showTime(all[idx])),
      );
    else frame.showValues(`${place}: ${showTime(valuesMs[idx])}${interval}`, []);
  };
  queueMicrotask(() => {
    const curves = [valuesMs, lowMs, highMs, ...(hasBase ? [baseMs] : [])].map((all) => [...all]);
    const drawn = draw(frame.plot, curveOptions(data, show), [percentiles.map(nines), ...curves]);
    plot = drawn;
    frame.plot.onkeydown = (event) => {
      if (moveCursor(drawn, percentiles.length - 1, event.key)) event.preventDefault();
    };
  });
  return frame.root;
}

function showTime(ms: number | null | undefined): string {
  return ms === null || ms === undefined ? "–" : formatTime(ms);
}

/** Returns the number of nines: 0 for 0, 1 for 90, 2 for 99, 3 for 99.9. */
function nines(percentile: number): number {
  return -Math.log10(1 - percentile / 100);
}

/** Returns the inverse of {@link nines}. */
function percentileAt(place: number): number {
  return 100 * (1 - 10 ** -place);
}

/** The pixels that a label needs. */
const roomOfLabel = 44;

/** Keeps the first of several marks that would overlap. */
function roomyMarks(marks: readonly number[], width: number): number[] {
  const most = nines(marks.at(-1) ?? 0) || 1;
  const kept: number[] = [];
  for (const mark of marks) {
    const before = kept.at(-1);
    const distance = before === undefined ? width : ((nines(mark) - nines(before)) / most) * (width - 100);
    if (distance >= roomOfLabel) kept.push(mark);
  }
  return kept;
}

function curveOptions(
  { percentiles, baseMs }: PercentileData,
  onCursor: (plot: uPlot) => void,
): Omit<uPlot.Options, "width" | "height"> {
  const most = percentiles.at(-1) ?? 0;
  const marks = labelled.filter((percentile) => percentile <= most);
  const hidden = { stroke: "transparent", points: { show: false } };
  return {
    hooks: { setCursor: [onCursor] },
    cursor: { drag: { x: false, y: false } },
    scales: { x: { time: false }, y: { ...logarithmic } },
    axes: [
      axis("x", (at) => formatPercentile(percentileAt(at)), {
        splits: (plot) => roomyMarks(marks, plot.width).map(nines),
      }),
      axis("y", formatTime),
    ],
    series: [
      {},
      { stroke: () => currentPalette().lines[0] ?? "", width: 2, points: { show: false } },
      hidden,
      hidden,
      ...(baseMs === null
        ? []
        : [{ stroke: () => currentPalette().lines[0] ?? "", ...baseStroke, points: { show: false } }]),
    ],
    bands: [{ series: [3, 2], fill: () => currentPalette().band }],
  };
}

/** Moves the cursor. Returns false for a key that it does not handle. */
function moveCursor(plot: uPlot, last: number, key: string): boolean {
  const at = plot.cursor.idx ?? 0;
  const places: Readonly<Record<string, number>> = {
    ArrowLeft: at - 1,
    ArrowRight: at + 1,
    Home: 0,
    End: last,
  };
  const place = places[key];
  if (place === undefined) return false;
  const x = plot.data[0][Math.min(last, Math.max(0, place))] ?? 0;
  plot.setCursor({ left: plot.valToPos(x, "x"), top: 0 });
  return true;
}
