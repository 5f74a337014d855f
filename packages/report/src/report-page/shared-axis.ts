import type uPlot from "uplot";

/** The values of an axis, and their formats. */
export interface AxisValues {
  readonly name: string;
  /** Ascending. */
  readonly values: readonly number[];
  readonly format: (value: number) => string;
  /** Formats the labels below charts. @default as `format` */
  readonly formatMark?: (value: number) => string;
  /** The distances that its labels may have. */
  readonly steps: readonly number[];
}

/** The axis of charts over the same values: they share the cursor and the visible range. */
export class SharedAxis {
  axis: AxisValues;
  readonly #plots = new Set<uPlot>();
  #isZooming = false;
  /** The range that was zoomed to; null while everything is visible. */
  #zoomed: readonly [number, number] | null = null;
  #index = 0;

  constructor(axis: AxisValues) {
    this.axis = axis;
  }

  /**
   * Returns the range of the axis. It starts at 0, because the first value is the end of the first interval.
   */
  readonly range = (_: uPlot, min: number | null, max: number | null): [number, number] => [
    min === null || min === this.axis.values[0] ? 0 : min,
    max ?? 1,
  ];

  /** Returns the options of a chart that shares the axis. */
  options(): Pick<uPlot.Options, "cursor" | "hooks"> {
    return {
      cursor: {
        sync: { key: this.axis.name, scales: ["x", null] },
        drag: { x: true, y: false },
        points: { size: 6 },
      },
      hooks: {
        setScale: [
          (plot, scale) => {
            if (scale === "x") this.#zoomOthers(plot);
          },
        ],
      },
    };
  }

  join(plot: uPlot, keys: HTMLElement): void {
    this.#plots.add(plot);
    keys.onkeydown = (event) => {
      if (this.#press(event.key)) event.preventDefault();
    };
  }

  /** Replaces the values. Each chart then needs its data again. */
  setValues(values: readonly number[]): void {
    this.axis = { ...this.axis, values };
  }

  /** Updates a chart to its data for the current values. The zoom stays. */
  setData(plot: uPlot, data: uPlot.AlignedData): void {
    this.#isZooming = true;
    plot.setData(data, this.#zoomed === null);
    if (this.#zoomed !== null) plot.setScale("x", { min: this.#zoomed[0], max: this.#zoomed[1] });
    this.#isZooming = false;
  }

  leave(plot: uPlot): void {
    this.#plots.delete(plot);
  }

  #zoomOthers({ scales }: uPlot): void {
    const { min, max } = scales["x"] ?? {};
    if (this.#isZooming || min === undefined || max === undefined) return;
    this.#zoom(min, max);
  }

  #zoom(min: number, max: number): void {
    const { values } = this.axis;
    const isWhole = min <= (values[0] ?? 0) && max >= (values.at(-1) ?? 0);
    this.#zoomed = isWhole ? null : [min, max];
    this.#isZooming = true;
    for (const plot of this.#plots)
      if (plot.scales["x"]?.min !== min || plot.scales["x"].max !== max) plot.setScale("x", { min, max });
    this.#isZooming = false;
  }

  /** Handles a key. Returns false for one that means nothing here. */
  #press(key: string): boolean {
    const last = this.axis.values.length - 1;
    const places: Readonly<Record<string, number>> = {
      ArrowLeft: this.#index - 1,
      ArrowRight: this.#index + 1,
      PageUp: this.#index - 10,
      PageDown: this.#index + 10,
      Home: 0,
      End: last,
    };
    const place = places[key];
    if (place !== undefined) this.#point(Math.min(last, Math.max(0, place)));
    else if (key === "+" || key === "=") this.#zoomAround(0.5);
    else if (key === "-") this.#zoomAround(2);
    else if (key === "0") this.#zoom(0, this.axis.values[last] ?? 0);
    else return false;
    return true;
  }

  #point(index: number): void {
    this.#index = index;
    for (const plot of this.#plots)
      plot.setCursor({ left: plot.valToPos(this.axis.values[index] ?? 0, "x"), top: 0 });
  }

  #zoomAround(factor: number): void {
    const [first] = this.#plots;
    const { min = 0, max = 0 } = first?.scales["x"] ?? {};
    const end = this.axis.values.at(-1) ?? 0;
    const middle = this.axis.values[this.#index] ?? 0;
    const half = ((max - min) * factor) / 2;
    this.#zoom(Math.max(0, middle - half), Math.min(end, middle + half));
  }
}
