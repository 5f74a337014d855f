import { ofType, type Accumulator } from "@bearhug/metrics/accumulator";
import { getOrAdd } from "@bearhug/metrics/get-or-add";
import { metricCatalog } from "@bearhug/metrics/metric-catalog";
import type { SeriesStore } from "@bearhug/metrics/series-store";
import { summarizeMetric } from "@bearhug/metrics/summarize";
import { roleMetrics } from "@bearhug/plan/clients/client-kind";
import type { MetricResult, TestResult } from "@bearhug/sdk";
import type { MergedResult } from "@bearhug/sdk/result";

import type { RecordedPlan } from "./run-record.ts";

type DeclaredMetrics = Pick<RecordedPlan, "clients" | "metrics">;

/** Returns the values of one metric. */
export type Summarize = (metric: string, accumulator: Accumulator) => MetricResult;

/**
 * Returns a function that summarizes each accumulator once: most request names have one series, so that their
 * values are also those of a row.
 */
export function summarizer(plan: DeclaredMetrics, durationMs: number): Summarize {
  const catalog = metricCatalog(plan);
  const summaries = new Map<Accumulator, MetricResult>();
  return (metric, accumulator) =>
    getOrAdd(summaries, accumulator, () =>
      summarizeMetric(accumulator, catalog.get(metric)?.unit ?? null, durationMs),
    );
}

const ofIterations = [
  "iterations",
  "iteration_failed",
  "iteration_duration",
  "iteration_response_time",
  "dropped_iterations",
  "vu_time_lost",
];

const maxGroups = 100;

/** Returns the merged metrics of each scenario, of the most frequent groups, and of each page and name. */
export function mergedResults(
  store: SeriesStore,
  { clients }: Pick<DeclaredMetrics, "clients">,
  summarize: Summarize,
): Pick<TestResult, "scenarios" | "groups" | "pages" | "names"> {
  const merge = (tag: string, metrics: readonly string[]): Part[] => mergeBy(store, tag, metrics);
  const ofClients = roleMetrics(clients);
  const counts = clients.flatMap(({ roles: { operations, failed } }) => [operations, failed]);
  const groups = merge("group", ["group_duration", ...ofClients]);
  const shown =
    groups.length > maxGroups ? groups.toSorted((left, right) => timesOf(right) - timesOf(left)) : groups;
  const describeAll = (parts: readonly Part[]): MergedResult[] =>
    parts.map((part) => describe(part, summarize));
  return {
    scenarios: describeAll(merge("scenario", [...ofIterations, ...ofClients])),
    groups: describeAll(shown.slice(0, maxGroups)),
    pages: describeAll(merge("page", ["pages", "page_duration", "page_bytes", ...counts])),
    names: describeAll(merge("name", ofClients)),
  };
}

/** The samples with the same value of a tag. */
interface Part {
  readonly name: string;
  /** Those of the wanted metrics that have samples, in the order in which they are reported. */
  readonly metrics: ReadonlyMap<string, Accumulator>;
}

function mergeBy(store: SeriesStore, tag: string, wanted: readonly string[]): Part[] {
  const names = new Set(wanted);
  const groups = store.groupBy(
    [tag],
    (tags) => tags[tag] !== undefined,
    (metric) => names.has(metric),
  );
  return groups.map(({ tags, metrics }) => {
    const found = new Map<string, Accumulator>();
    for (const name of names) {
      const accumulator = metrics.get(name);
      if (accumulator !== undefined) found.set(name, accumulator);
    }
    return { name: tags[tag] ?? "", metrics: found };
  });
}

function timesOf({ metrics }: Part): number {
  return ofType(metrics.get("group_duration"), "trend")?.count ?? 0;
}

function describe({ name, metrics }: Part, summarize: Summarize): MergedResult {
  const results: Record<string, MetricResult> = {};
  for (const [metric, accumulator] of metrics) results[metric] = summarize(metric, accumulator);
  return { name, metrics: results };
}
