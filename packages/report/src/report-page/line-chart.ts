import type uPlot from "uplot";

import type { LineChartData } from "../html/page-data.ts";
import { type ChartData, ChartFrame } from "./chart-frame.ts";
import { formatValue } from "./chart-numbers.ts";
import { element } from "./element.ts";
import { axis, baseStroke, currentPalette, draw, logarithmic } from "./plots.ts";
import type { SharedAxis } from "./shared-axis.ts";

/** Further lines start again with the first color. */
const colors = 6;

/** A chart of one or more lines over an axis that it shares with others. */
export class LineChart {
  readonly root: HTMLElement;
  readonly #frame: ChartFrame;
  readonly #shared: SharedAxis;
  #chart: LineChartData;
  #plot: uPlot | null = null;

  constructor(data: LineChartData, shared: SharedAxis) {
    this.#chart = data;
    this.#shared = shared;
    const { id, title, note, unit, lines } = data;
    const scaleButton = element("button", { type: "button", "aria-pressed": "false" }, "Log scale");
    this.#frame = new ChartFrame({
      id,
      title,
      note,
      legend: lines.map(({ label, isBase = false }, index) => ({
        label,
        color: colorOf(lines, index) + 1,
        isDashed: isBase,
        setShown: (show) => this.#plot?.setSeries(index + 1, { show }),
      })),
      data: this.#numbers(),
      buttons: unit === "ms" || unit === "share" ? [scaleButton] : [],
    });
    this.root = this.#frame.root;
    scaleButton.addEventListener("click", () => {
      const isLogarithmic = scaleButton.getAttribute("aria-pressed") !== "true";
      scaleButton.setAttribute("aria-pressed", String(isLogarithmic));
      this.#draw(isLogarithmic);
    });
    queueMicrotask(() => this.#draw(false));
  }

  /** Shows later values of the same lines. Returns false for other lines, which need a new chart. */
  update(data: LineChartData): boolean {
    const { id, lines } = this.#chart;
    const isSame =
      data.id === id &&
      data.lines.length === lines.length &&
      data.lines.every(({ label }, index) => label === lines[index]?.label);
    if (!isSame) return false;
    this.#chart = data;
    if (this.#plot !== null) this.#shared.setData(this.#plot, this.#data());
    return true;
  }

  /** Destroys the plot. Call this before the chart leaves the page. */
  close(): void {
    if (this.#plot === null) return;
    this.#shared.leave(this.#plot);
    this.#plot.destroy();
    this.#plot = null;
  }

  #draw(isLogarithmic: boolean): void {
    this.close();
    const options = chartOptions(this.#chart, this.#shared, isLogarithmic, (plot) => this.#showCursor(plot));
    this.#plot = draw(this.#frame.plot, options, this.#data());
    this.#shared.join(this.#plot, this.#frame.plot);
  }

  #data(): uPlot.AlignedData {
    return [[...this.#shared.axis.values], ...this.#chart.lines.map(({ values }) => [...values])];
  }

  #showCursor({ cursor: { idx } }: uPlot): void {
    const { values: places, format } = this.#shared.axis;
    const { lines, unit } = this.#chart;
    if (idx === null || idx === undefined) this.#frame.showValues("", []);
    else
      this.#frame.showValues(
        `at ${format(places[idx] ?? 0)}`,
        lines.map(({ values }) => formatValue(values[idx], unit)),
      );
  }

  #numbers(): ChartData {
    const { name } = this.#shared.axis;
    return {
      columns: [name, ...this.#chart.lines.map(({ label }) => label)],
      rows: () => {
        const { lines, unit } = this.#chart;
        const { values: places, format } = this.#shared.axis;
        return places.map((place, at) => [
          format(place),
          ...lines.map(({ values }) => formatValue(values[at], unit)),
        ]);
      },
    };
  }
}

/** Returns the index of a line's color. A line of the base has the color of the run's matching line. */
function colorOf(lines: LineChartData["lines"], index: number): number {
  const own = lines.filter(({ isBase }) => isBase !== true).length;
  return (index % own) % colors;
}

/**
 * Returns the top of the scale, a little above the greatest value. It is at least 100 for percentages, so
 * that charts can be compared, and at least 5 for bytes, because less than one cannot be labelled.
 */
function topOf(max: number, unit: LineChartData["unit"]): number {
  if (unit.startsWith("bytes")) return Math.max(5, max * 1.08);
  const top = max > 0 ? max * 1.08 : 1;
  return unit === "percent" ? Math.max(100, top) : top;
}

function chartOptions(
  { unit, lines }: LineChartData,
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
      y: isLogarithmic ? { ...logarithmic } : { range: (_, __, max) => [0, topOf(max, unit)] },
    },
    axes: [
      axis("x", shared.axis.formatMark ?? shared.axis.format, { incrs: [...shared.axis.steps] }),
      axis("y", (value) => formatValue(value, unit)),
    ],
    series: [
      {},
      ...lines.map(({ label, isBase = false }, index) => ({
        label,
        stroke: () => currentPalette().lines[colorOf(lines, index)] ?? currentPalette().text,
        ...(isBase ? baseStroke : { width: 2 }),
        points: { show: lines[0]?.values.length === 1 },
        ...(lines.length === 1 && { fill: () => currentPalette().band }),
      })),
    ],
  };
}
