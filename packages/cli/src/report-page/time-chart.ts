import type uPlot from "uplot";

import type { TimeChartFacts } from "../reporters/html/page-facts.ts";
import { type ChartData, ChartFrame } from "./chart-frame.ts";
import { formatMoment, formatValue } from "./chart-numbers.ts";
import { element } from "./element.ts";
import { axis, currentPalette, draw, labels, logarithmic } from "./plots.ts";
import type { SharedTime } from "./shared-time.ts";

/** A chart of one or more lines over the time of the run. */
export function createTimeChart(
  chart: TimeChartFacts,
  seconds: readonly number[],
  time: SharedTime,
): HTMLElement {
  const { id, title, note, unit, lines } = chart;
  let plot: uPlot | null = null;
  const scaleButton = element("button", { type: "button", "aria-pressed": "false" }, "Log scale");
  const frame = new ChartFrame({
    id,
    title,
    note,
    legend: lines.map(({ label }, index) => ({
      label,
      color: index + 1,
      setShown: (show) => plot?.setSeries(index + 1, { show }),
    })),
    data: numbersOf(chart, seconds),
    buttons: unit === "ms" ? [scaleButton] : [],
  });
  const show = ({ cursor: { idx } }: uPlot): void => {
    const at = idx ?? seconds.length - 1;
    const values =
      idx === null || idx === undefined ? [] : lines.map(({ values: all }) => formatValue(all[at], unit));
    frame.showValues(idx === null || idx === undefined ? "" : `at ${formatMoment(seconds[at] ?? 0)}`, values);
  };
  const drawNow = (isLogarithmic: boolean): void => {
    if (plot !== null) {
      time.leave(plot);
      plot.destroy();
    }
    const data: uPlot.AlignedData = [[...seconds], ...lines.map(({ values }) => [...values])];
    plot = draw(frame.plot, chartOptions(chart, time, isLogarithmic, show), data);
    time.join(plot, frame.plot);
  };
  scaleButton.addEventListener("click", () => {
    const isLogarithmic = scaleButton.getAttribute("aria-pressed") !== "true";
    scaleButton.setAttribute("aria-pressed", String(isLogarithmic));
    drawNow(isLogarithmic);
  });
  queueMicrotask(() => {
    drawNow(false);
  });
  return frame.root;
}

function numbersOf({ lines, unit }: TimeChartFacts, seconds: readonly number[]): ChartData {
  return {
    columns: ["time", ...lines.map(({ label }) => label)],
    rows: () =>
      seconds.map((second, at) => [
        formatMoment(second),
        ...lines.map(({ values }) => formatValue(values[at], unit)),
      ]),
  };
}

function chartOptions(
  { unit, lines }: TimeChartFacts,
  time: SharedTime,
  isLogarithmic: boolean,
  onCursor: (plot: uPlot) => void,
): Omit<uPlot.Options, "width" | "height"> {
  const { cursor, hooks } = time.options();
  return {
    ...(cursor && { cursor }),
    hooks: { ...hooks, setCursor: [onCursor] },
    scales: {
      x: { time: false, range: time.range },
      y: isLogarithmic ? { ...logarithmic } : { range: (_, __, max) => [0, max > 0 ? max * 1.08 : 1] },
    },
    axes: [
      axis({ values: labels(formatMoment), incrs: secondSteps, size: 32 }),
      axis({
        values: labels((value) => formatValue(value, unit)),
        size: 76,
      }),
    ],
    series: [
      {},
      ...lines.map(({ label }, index) => ({
        label,
        stroke: () => currentPalette().lines[index] ?? currentPalette().text,
        width: 2,
        points: { show: lines[0]?.values.length === 1 },
        ...(lines.length === 1 && { fill: () => currentPalette().band }),
      })),
    ],
  };
}

/** Distances of the time axis' labels. */
export const secondSteps = [
  1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 28_800, 86_400,
];
