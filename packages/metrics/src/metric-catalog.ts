import type { MetricType } from "@bearhug/sdk";
import { engineMetrics } from "@bearhug/sdk/internal";
import type { MetricUnit } from "@bearhug/sdk/result";

import { readGaugeName } from "./gauge-name.ts";
import type { HistogramPrecision } from "./histogram.ts";

/** One metric of a run: a client's, the engine's, or one that the test declares. */
export interface MetricInfo {
  readonly type: MetricType;
  readonly unit: MetricUnit;
  readonly precision: HistogramPrecision;
  /** A share of another metric: results merge its series by scenario and page. */
  readonly isDetail: boolean;
}

/** A metric that a test declares. */
export interface ValidatedMetric {
  readonly type: MetricType;
  readonly unit: MetricUnit;
}

/** The metrics that a run has besides the engine's. */
export interface DeclaredMetrics {
  readonly clients: readonly {
    readonly metrics: Readonly<Record<string, ValidatedMetric & { readonly isDetail: boolean }>>;
  }[];
  /** The test's own. */
  readonly metrics: Readonly<Record<string, ValidatedMetric>>;
}

/** Returns every metric of a run by name: those of its clients, the engine's, then the test's own. */
export function metricCatalog({ clients, metrics }: DeclaredMetrics): ReadonlyMap<string, MetricInfo> {
  const catalog = new Map<string, MetricInfo>();
  const add = (
    declared: Readonly<Record<string, ValidatedMetric & { readonly isDetail?: boolean }>>,
  ): void => {
    for (const [name, { type, unit, isDetail = false }] of Object.entries(declared))
      catalog.set(name, { type, unit, precision: isDetail ? 2 : 3, isDetail });
  };
  for (const client of clients) add(client.metrics);
  add(engineMetrics);
  add(metrics);
  return catalog;
}

/**
 * Finds a metric of a run by its name, including gauges of monitors such as `server.cpu`,
 * which no catalog lists.
 */
export function findMetric(catalog: ReadonlyMap<string, MetricInfo>, name: string): MetricInfo | undefined {
  const listed = catalog.get(name);
  if (listed !== undefined) return listed;
  const gauge = readGaugeName(name);
  return gauge && { type: "gauge", unit: gauge.unit, precision: 3, isDetail: false };
}
