import uPlot from "uplot";

import { onThemeChange, type Palette, readPalette } from "./theme.ts";

const height = 220;
/** The room for the labels of an axis. */
const sizes = { x: 32, y: 76 };

/** Makes a scale logarithmic. uPlot has a name for 3, but only as a constant at compile time. */
export const logarithmic: object = { distr: 3 };

/** The current colors, read once for each change of the theme and used by everything that is drawn. */
let palette: Palette | null = null;
onThemeChange(() => {
  palette = null;
});

export function currentPalette(): Palette {
  return (palette ??= readPalette());
}

/**
 * The style of a line of the base: fainter than those of the run, but with the contrast of 3 to 1 that a line
 * needs.
 */
export const baseStroke: Pick<uPlot.Series, "width" | "dash" | "alpha"> = {
  width: 1.5,
  dash: [5, 4],
  alpha: 0.9,
};

/** Returns axis options with the defaults of every chart; `format` returns the label of a mark. */
export function axis(scale: "x" | "y", format: (value: number) => string, more: uPlot.Axis = {}): uPlot.Axis {
  const grid = { stroke: () => currentPalette().grid, width: 1 };
  return {
    stroke: () => currentPalette().faint,
    font: currentPalette().font,
    grid,
    ticks: { ...grid, size: 4 },
    size: sizes[scale],
    // On a logarithmic axis, marks that would be too close together are not finite, and get no label.
    values: (_, marks) => marks.map((mark) => (Number.isFinite(mark) ? format(mark) : "")),
    ...more,
  };
}

/** Draws a chart as wide as its container, and again when the width or the colors change. */
export function draw(
  container: HTMLElement,
  options: Omit<uPlot.Options, "width" | "height">,
  data: uPlot.AlignedData,
): uPlot {
  const plot = new uPlot(
    { legend: { show: false }, ...options, width: widthOf(container), height },
    data,
    container,
  );
  const resizing = new ResizeObserver(() => plot.setSize({ width: widthOf(container), height }));
  resizing.observe(container);
  const unsubscribe = onThemeChange(() => plot.redraw(false, true));
  (plot.hooks.destroy ??= []).push(() => {
    resizing.disconnect();
    unsubscribe();
  });
  return plot;
}

function widthOf(container: HTMLElement): number {
  return Math.max(240, container.clientWidth);
}
