import uPlot from "uplot";

import { onThemeChange, type Palette, readPalette } from "./theme.ts";

const height = 220;

/** Makes a scale logarithmic. uPlot's name for it is a constant of the compiler alone. */
export const logarithmic: object = { distr: 3 };

/** The colours of now: read once for each change of the theme, used by everything that is drawn. */
let palette: Palette | null = null;
onThemeChange(() => {
  palette = null;
});

export function currentPalette(): Palette {
  return (palette ??= readPalette());
}

/** The looks of a line of the base: fainter than those of the run, but with the contrast of 3 to 1 that a line needs. */
export const baseStroke: Pick<uPlot.Series, "width" | "dash" | "alpha"> = {
  width: 1.5,
  dash: [5, 4],
  alpha: 0.9,
};

/** Axis options that every chart has. */
export function axis(options: uPlot.Axis): uPlot.Axis {
  const grid = { stroke: () => currentPalette().grid, width: 1 };
  return {
    stroke: () => currentPalette().faint,
    font: currentPalette().font,
    grid,
    ticks: { ...grid, size: 4 },
    ...options,
  };
}

/** Draws into a container, as wide as it is, and again when its width or the colours change. */
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
  const resizing = new ResizeObserver(() => {
    plot.setSize({ width: widthOf(container), height });
  });
  resizing.observe(container);
  const forget = onThemeChange(() => {
    plot.redraw(false, true);
  });
  (plot.hooks.destroy ??= []).push(() => {
    resizing.disconnect();
    forget();
  });
  return plot;
}

function widthOf(container: HTMLElement): number {
  return Math.max(240, container.clientWidth);
}

/** The texts of an axis; a logarithmic one leaves out the marks that would stand too close. */
export function labels(format: (value: number) => string): (plot: uPlot, marks: number[]) => string[] {
  return (_, marks) => marks.map((mark) => (Number.isFinite(mark) ? format(mark) : ""));
}
