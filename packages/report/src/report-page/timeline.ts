import type { TimelineData } from "../html/page-data.ts";
import { formatMoment } from "./chart-numbers.ts";
import { element } from "./element.ts";
import { note, panel } from "./panel.ts";
import { createHeatMap } from "./heat-map.ts";
import { LineChart } from "./line-chart.ts";
import { SharedAxis } from "./shared-axis.ts";

/** Distances of the labels of the time axis, in seconds. */
const secondSteps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 28_800, 86_400];

/** The charts of a run over time. */
export class Timeline {
  readonly root: HTMLElement;
  readonly #time: SharedAxis;
  readonly #box: HTMLElement;
  #charts: readonly LineChart[];

  constructor({ seconds, charts, heatMap }: TimelineData) {
    this.#time = new SharedAxis({ name: "time", values: seconds, format: formatMoment, steps: secondSteps });
    this.#charts = charts.map((chart) => new LineChart(chart, this.#time));
    this.#box = element(
      "div",
      { class: "charts" },
      ...this.#charts.map(({ root }) => root),
      ...(heatMap === null ? [] : [createHeatMap(heatMap, seconds, this.#time)]),
    );
    const keys = note("Drag to zoom, double-click to see all. Keys: arrows, + − 0.");
    this.root = panel({ id: "timeline", title: "Over time", aside: [keys] }, this.#box);
  }

  /** Shows a later state of the run. Charts with the same lines keep the reader's settings. */
  update({ seconds, charts }: TimelineData): void {
    this.#time.setValues(seconds);
    const before = this.#charts;
    this.#charts = charts.map(
      (data) => before.find((one) => one.update(data)) ?? new LineChart(data, this.#time),
    );
    for (const chart of before) if (!this.#charts.includes(chart)) chart.close();
    if (this.#charts.some((chart, index) => chart !== before[index]))
      this.#box.replaceChildren(...this.#charts.map(({ root }) => root));
  }

  /** Closes the charts. Call this before the timeline leaves the page. */
  close(): void {
    for (const chart of this.#charts) chart.close();
  }
}
