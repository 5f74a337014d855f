import type uPlot from "uplot";

import type { LineChartFacts } from "../reporters/html/page-facts.ts";
import { type ChartData, ChartFrame } from "./chart-frame.ts";
import { formatValue } from "./chart-numbers.ts";
import { element } from "./element.ts";
import { axis, currentPalette, draw, labels, logarithmic } from "./plots.ts";
import type { SharedAxis } from "./shared-axis.ts";

/** Further lines begin again with the first color. */
const colors = 6;

/** A chart of one or more lines over an axis that it shares with others. */
export function createLineChart(chart: LineChartFacts, shared: SharedAxis): HTMLElement {
  const { id, title, note, unit, lines } = chart;
  const { values: places, format } = shared.axis;
  let plot: uPlot | null = null;
  const scaleButton = element("button", { type: "button", "aria-pressed": "false" }, "Log scale");
  const frame = new ChartFrame({
    id,
    title,
    note,
    legend: lines.map(({ label }, index) => ({
      label,
      color: (index % colors) + 1,
      setShown: (show) => plot?.setSeries(index + 1, { show }),
    })),
    data: numbersOf(chart, shared),
    buttons: unit === "ms" ? [scaleButton] : [],
  });
  const show = ({ cursor: { idx } }: uPlot): void => {
    const at = idx ?? places.length - 1;
    const values =
      idx === null || idx === undefined ? [] : lines.map(({ values: all }) => formatValue(all[at], unit));
    frame.showValues(idx === null || idx === undefined ? "" : `at ${format(places[at] ?? 0)}`, values);
  };
  const drawNow = (isLogarithmic: boolean): void => {
    if (plot !== null) {
      shared.leave(plot);
      plot.destroy();
    }
    const data: uPlot.AlignedData = [[...places], ...lines.map(({ values }) => [...values])];
    plot = draw(frame.plot, chartOptions(chart, shared, isLogarithmic, show), data);
    shared.join(plot, frame.plot);
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

function numbersOf(
  { lines, unit }: LineChartFacts,
  { axis: { name, values: places, format } }: SharedAxis,
): ChartData {
  return {
    columns: [name, ...lines.map(({ label }) => label)],
    rows: () =>
      places.map((place, at) => [format(place), ...lines.map(({ values }) => formatValue(values[at], unit))]),
  };
}

function chartOptions(
  { unit, lines }: LineChartFacts,
  shared: SharedAxis,
  isLogarithmic: boolean,
  onCursor: (plot: uPlot) => void,
): Omit<uPlot.Options, "width" | "height"> {
  const { cursor, hooks } = shared.options();
  return {
    ...(cursor && { cursor }),
    hooks: { ...hooks, setCursor: [onCursor] },
    scales: {
      x: { time: false, range: shared.range },
      y: isLogarithmic ? { ...logarithmic } : { range: (_, __, max) => [0, max > 0 ? max * 1.08 : 1] },
    },
    axes: [
      axis({ values: labels(shared.axis.format), incrs: [...shared.axis.steps], size: 32 }),
      axis({
        values: labels((value) => formatValue(value, unit)),
        size: 76,
      }),
    ],
    series: [
      {},
      ...lines.map(({ label }, index) => ({
        label,
        stroke: () => currentPalette().lines[index % colors] ?? currentPalette().text,
        width: 2,
        points: { show: lines[0]?.values.length === 1 },
        ...(lines.length === 1 && { fill: () => currentPalette().band }),
      })),
    ],
  };
}
