import { type MeasuredTrend, unitsPerMs } from "@bearhug/metrics/measured-trend";

import type { HeatMapFacts } from "./page-facts.ts";

/** Rows of the map for each factor of ten. */
const rowsPerDecade = 8;
const mostRows = 48;

/** Gathers the distribution of durations in each interval; null if none was measured. */
export function gatherHeatMap(durations: readonly (MeasuredTrend | null)[]): HeatMapFacts | null {
  const spreads = durations.map((trend) => (trend === null ? [] : spreadOf(trend)));
  const values = spreads.flat().map(([ms]) => ms);
  if (values.length === 0) return null;
  const [least, most] = values.reduce(
    ([low, high], ms) => [Math.min(low, ms), Math.max(high, ms)],
    [Infinity, 0],
  );
  const lowest = Math.floor(Math.log10(least) * rowsPerDecade);
  const highest = Math.floor(Math.log10(most) * rowsPerDecade);
  const perRow = Math.ceil((highest - lowest + 1) / mostRows);
  const rows = Math.ceil((highest - lowest + 1) / perRow);
  const rowOf = (ms: number): number =>
    Math.floor((Math.floor(Math.log10(ms) * rowsPerDecade) - lowest) / perRow);
  return {
    title: "Request durations over time",
    note: "The stronger the color, the more requests took this long.",
    boundsMs: Array.from({ length: rows + 1 }, (_, row) => 10 ** ((lowest + row * perRow) / rowsPerDecade)),
    cells: spreads.map((spread) => countRows(spread, rowOf)),
  };
}

/** Durations below one microsecond count as one. */
function spreadOf({ histogram }: MeasuredTrend): [ms: number, count: number][] {
  return histogram.ranges().map(({ highest, count }) => [Math.max(1, highest) / unitsPerMs, count]);
}

function countRows(
  spread: readonly (readonly [ms: number, count: number])[],
  rowOf: (ms: number) => number,
): [row: number, count: number][] {
  const counts = new Map<number, number>();
  for (const [ms, count] of spread) counts.set(rowOf(ms), (counts.get(rowOf(ms)) ?? 0) + count);
  return [...counts];
}
