import type { MetricResult } from "@bearhug/sdk";

import { formatBytes } from "../../format/bytes.ts";
import { formatCount } from "../../format/number.ts";
import { formatPercent } from "../../format/percent.ts";
import { allStatistics, statisticCells } from "../trend-table.ts";
import type { CellFacts, ColumnFacts, TableFacts, TableRow } from "./page-facts.ts";

type Metric = MetricResult | undefined;
export function textColumn(title: string): ColumnFacts {
  return { title, isNumber: false };
}

export function numberColumn(title: string): ColumnFacts {
  return { title, isNumber: true };
}

export const trendColumns: readonly ColumnFacts[] = allStatistics.map(({ title }) => numberColumn(title));

export const empty: CellFacts = { text: "" };

export function textCell(text: string): CellFacts {
  return { text };
}

export function countCell(value: number): CellFacts {
  return { text: formatCount(value), value };
}

/** The outcome of a threshold. */
export function outcomeCell(passed: boolean | null): CellFacts {
  if (passed === null) return { text: "not judged", tone: "warning" };
  return passed ? { text: "passed", tone: "good" } : { text: "failed", tone: "bad" };
}

/** A count of which any is bad. */
export function badCountCell(value: number): CellFacts {
  return { ...countCell(value), ...(value > 0 && { tone: "bad" }) };
}

/** The sum of a counter, or the number of a trend's samples. */
export function countOf(metric: Metric): CellFacts {
  return metric !== undefined && "count" in metric.values ? countCell(metric.values.count) : empty;
}

/** A share of failures. */
export function failuresOf(metric: Metric): CellFacts {
  if (metric?.type !== "rate") return empty;
  const { rate } = metric.values;
  return { text: formatPercent(rate), value: rate, ...(rate > 0 && { tone: "bad" }) };
}

/** The average of sizes. */
export function sizeOf(metric: Metric): CellFacts {
  if (metric?.type !== "trend") return empty;
  return { text: formatBytes(metric.values.avg), value: metric.values.avg };
}

/** The figures of a trend, one for each of {@link trendColumns}. */
export function trendCells(metric: Metric): CellFacts[] {
  const trend = metric?.type === "trend" ? metric : undefined;
  const texts = statisticCells(trend, allStatistics, trend?.unit ?? "ms");
  return allStatistics.map(({ key }, index) => {
    const [text = "", value] = [texts[index], trend?.values[key]];
    return value === undefined ? empty : { text, value };
  });
}

export function row(...cells: readonly CellFacts[]): TableRow {
  return { cells, detail: "" };
}

/** A table; none without rows. */
export function table(facts: TableFacts): TableFacts[] {
  return facts.rows.length === 0 ? [] : [facts];
}
