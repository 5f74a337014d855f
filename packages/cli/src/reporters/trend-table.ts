import type { MetricUnit } from "@bearhug/sdk/internal";
import { formatBytes } from "../format/bytes.ts";
import { formatMilliseconds } from "../format/duration.ts";
import { atLeast, formatNumber } from "../format/number.ts";
import type { Column } from "../format/table.ts";

type FigureKey = "min" | "avg" | "med" | "max" | `p(${number})`;
type Figures = { readonly [Key in FigureKey]?: number };

/** A figure of a trend by its title in tables; `keep` says which go first where room is short. */
export interface Statistic {
  readonly title: string;
  readonly key: FigureKey;
  readonly keep?: number;
}

const med: Statistic = { title: "med", key: "med", keep: 3 };
const p95: Statistic = { title: "p95", key: "p(95)" };
const p99: Statistic = { title: "p99", key: "p(99)", keep: 6 };
const max: Statistic = { title: "max", key: "max", keep: 5 };

/** The figures that fit beside other columns. */
export const fewStatistics: readonly Statistic[] = [med, p95, p99, max];

export const allStatistics: readonly Statistic[] = [
  { title: "min", key: "min", keep: 1 },
  { title: "avg", key: "avg", keep: 4 },
  med,
  { title: "p90", key: "p(90)", keep: 2 },
  p95,
  p99,
  max,
];

export function statisticColumns(statistics: readonly Statistic[]): Column[] {
  return statistics.map(({ title, keep }) => ({
    title,
    align: "right",
    ...(keep !== undefined && { keep }),
  }));
}

/** The figures of a trend, and which of them are only lower bounds. */
interface Summary {
  readonly values: Figures;
  readonly lowerBounds?: readonly string[];
}

/** The cells of one trend: blank where it has no such figure, or there is no trend. */
export function statisticCells(
  summary: Summary | undefined,
  statistics: readonly Statistic[],
  unit: MetricUnit,
): string[] {
  return statistics.map(({ key }) => {
    const value = summary?.values[key];
    if (value === undefined) return "";
    return atLeast(formatFigure(value, unit), summary?.lowerBounds?.includes(key) === true);
  });
}

function formatFigure(value: number, unit: MetricUnit): string {
  if (unit === "ms") return formatMilliseconds(value);
  return unit === "bytes" ? formatBytes(value) : formatNumber(value);
}
