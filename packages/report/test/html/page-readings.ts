import type { Page } from "playwright-core";
import { expect } from "vitest";

/** Returns a script for the start and end of the bars in each row of a waterfall, as shares of its width. */
export function readBars(id: string): string {
  return `Array.from(document.querySelectorAll("[data-chart=${id}] .bars"), (row) => {
    const bars = Array.from(row.children, ({ style }) => [parseFloat(style.left) / 100, parseFloat(style.width) / 100]);
    return [Math.min(...bars.map(([left]) => left)), Math.max(...bars.map(([left, width]) => left + width))];
  })`;
}

/** A script that counts, for each chart, the pixels in the color of its first line. */
export const countLinePixels = `Object.fromEntries(Array.from(document.querySelectorAll("[data-chart]:has(canvas)"), (figure) => {
  const canvas = figure.querySelector("canvas");
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  let count = 0;
  for (let at = 0; at < data.length; at += 4)
    if (data[at] === 0x16 && data[at + 1] === 0x68 && data[at + 2] === 0xb0 && data[at + 3] === 255) count++;
  return [figure.dataset.chart, count];
}))`;

/** A script that counts the clearly blue pixels of the heat map, which only its cells have. */
export const countHeatPixels = `(() => {
  const canvas = document.querySelector("[data-chart=heat-map] canvas");
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  let count = 0;
  for (let at = 0; at < data.length; at += 4)
    if (data[at + 2] > data[at] + 60 && data[at + 3] > 20) count++;
  return count;
})()`;

/** Opens the table below a chart and returns its cells, row by row. */
export async function readNumbers(page: Page, chart: string): Promise<string[][]> {
  const figure = page.locator(`[data-chart=${chart}]`);
  await figure.locator("summary").click();
  await figure.locator("tbody tr").first().waitFor();
  const cells = await figure.locator("tbody td").allTextContents();
  const columns = await figure.locator("thead th").count();
  return Array.from({ length: cells.length / columns }, (_, row) =>
    cells.slice(row * columns, (row + 1) * columns),
  );
}

const factors: Readonly<Record<string, number>> = {
  µs: 0.001,
  ms: 1,
  s: 1000,
  B: 1,
  kB: 1e3,
  MB: 1e6,
  "%": 0.01,
};

/** Expects that the text displays the value, in any unit, to within 0.5 %. */
export function expectShown(text: string | null | undefined, value: number | null): void {
  if (value === null) {
    expect(text).toBe("–");
    return;
  }
  const [, number = "", unit = ""] = /^([\d.\u202f]+) ?(µs|ms|s|B|kB|MB|%)?/.exec(text ?? "") ?? [];
  const read = Number(number.replaceAll("\u202f", "")) * (factors[unit] ?? 1);
  expect(Math.abs(read - value)).toBeLessThanOrEqual(0.005 * value);
}
