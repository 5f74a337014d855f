import type { MergedResult, TrendResult } from "@bearhug/sdk/internal";

/** A trend of each row that has it, by the row's name. */
export function trendsOf(rows: readonly MergedResult[], metric: string): ReadonlyMap<string, TrendResult> {
  return new Map(
    rows.flatMap(({ name, metrics }) => {
      const found = metrics[metric];
      return found?.type === "trend" ? [[name, found]] : [];
    }),
  );
}

/** A rate of each row that has it, from 0 to 1, by the row's name. */
export function ratesOf(rows: readonly MergedResult[], metric: string): ReadonlyMap<string, number> {
  return new Map(
    rows.flatMap(({ name, metrics }) => {
      const found = metrics[metric];
      return found?.type === "rate" ? [[name, found.values.rate]] : [];
    }),
  );
}
