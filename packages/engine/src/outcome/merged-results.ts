import { metricCatalog } from "@bearhug/metrics/metric-catalog";
import type { SeriesStore, StoredSeries } from "@bearhug/metrics/series-store";
import { summarizeMetric } from "@bearhug/metrics/summarize";
import { roleMetrics } from "@bearhug/plan/clients/client-kind";
import type { MetricResult } from "@bearhug/sdk";
import type { MergedResult } from "@bearhug/sdk/result";

import type { RecordedPlan } from "./run-record.ts";

type DeclaredMetrics = Pick<RecordedPlan, "clients" | "metrics">;

const ofIterations = [
  "iterations",
  "iteration_failed",
  "iteration_duration",
  "iteration_response_time",
  "dropped_iterations",
  "vu_time_lost",
];

const maxGroups = 100;

export function scenarioResults(
  store: SeriesStore,
  plan: DeclaredMetrics,
  durationMs: number,
): MergedResult[] {
  const describe = describer([...ofIterations, ...roleMetrics(plan.clients)], plan, durationMs);
  return mergesOf(store, "scenario").map(([name, series]) => describe(name, series));
}

/** Returns the merged metrics of each of the most frequent groups. */
export function groupResults(store: SeriesStore, plan: DeclaredMetrics, durationMs: number): MergedResult[] {
  const describe = describer(["group_duration", ...roleMetrics(plan.clients)], plan, durationMs);
  const groups = mergesOf(store, "group");
  const shown =
    groups.length > maxGroups ? groups.toSorted(([, a], [, b]) => timesOf(b) - timesOf(a)) : groups;
  return shown.slice(0, maxGroups).map(([name, series]) => describe(name, series));
}

export function pageResults(store: SeriesStore, plan: DeclaredMetrics, durationMs: number): MergedResult[] {
  const ofClients = plan.clients.flatMap(({ roles: { operations, failed } }) => [operations, failed]);
  const describe = describer(["pages", "page_duration", "page_bytes", ...ofClients], plan, durationMs);
  return mergesOf(store, "page").map(([name, series]) => describe(name, series));
}

/** Returns the merged metrics of each name of a client's operations. */
export function nameResults(store: SeriesStore, plan: DeclaredMetrics, durationMs: number): MergedResult[] {
  const describe = describer(roleMetrics(plan.clients), plan, durationMs);
  return mergesOf(store, "name").map(([name, series]) => describe(name, series));
}

function mergesOf(store: SeriesStore, tag: string): [name: string, series: StoredSeries][] {
  return store
    .groupBy([tag], (tags) => tags[tag] !== undefined)
    .map((series) => [series.tags[tag] ?? "", series]);
}

function timesOf({ metrics }: StoredSeries): number {
  const trend = metrics.get("group_duration");
  return trend?.type === "trend" ? trend.count : 0;
}

function describer(
  names: readonly string[],
  plan: DeclaredMetrics,
  durationMs: number,
): (name: string, series: StoredSeries) => MergedResult {
  const catalog = metricCatalog(plan);
  return (name, { metrics }) => {
    const results: Record<string, MetricResult> = {};
    for (const metric of names) {
      const accumulator = metrics.get(metric);
      if (accumulator === undefined) continue;
      results[metric] = summarizeMetric(accumulator, catalog.get(metric)?.unit ?? null, durationMs);
    }
    return { name, metrics: results };
  };
}
