import { prometheusText, type PrometheusFamily, type PrometheusSample } from "@bearhug/text/prometheus-text";

import { descriptionOf, exportedName } from "../exported-metric.ts";
import type { MetricTotals, SeriesTotals, SeriesTags, Totals } from "../totals.ts";
import type { ClassicBuckets } from "./classic-buckets.ts";

/** Details of a run that `/metrics` reports besides its series. */
export interface ExposedRun {
  /** The name of the test; null until the plan of the run is known. */
  readonly test: string | null;
}

const infoName = "bearhug_run_info";

/** Renders all series of a run in Prometheus' text format. Their tags must be labels. */
export function renderMetrics(totals: Totals<ClassicBuckets>, { test }: ExposedRun): string {
  const taken = new Set([infoName]);
  const families = [...totals.metrics].map((metric): PrometheusFamily => {
    const name = unusedName(familyName(metric), suffixes[metric.type], taken);
    const samples = Array.from(metric.series.values(), ({ tags, totals: series }) =>
      samplesOf(tags, series),
    ).flat();
    return { name, type: types[metric.type], help: helpOf(metric), samples };
  });
  return prometheusText([
    {
      name: infoName,
      type: "gauge",
      help: "The test that runs.",
      samples: test === null ? [] : [{ labels: { test }, value: 1 }],
    },
    ...families,
  ]);
}

const types = { counter: "counter", gauge: "gauge", rate: "counter", trend: "histogram" } as const;

/** Returns null for metrics that a test declares: they have no description. */
function helpOf({ metric, type }: MetricTotals<ClassicBuckets>): string | null {
  const description = descriptionOf(metric);
  if (description === null) return null;
  return `${description}${type === "rate" ? " Samples by condition." : ""}`;
}

function familyName({ metric, type, unit }: MetricTotals<ClassicBuckets>): string {
  const name = exportedName(metric).replaceAll(/[^a-zA-Z0-9_]/g, "_");
  const words = [
    "bearhug",
    name,
    ...(unit === null || name.endsWith(`_${unit}`) ? [] : [unit]),
    ...(type === "counter" || type === "rate" ? ["total"] : []),
  ];
  return words.join("_");
}

/** Suffixes of the sample names in a family. */
const suffixes = {
  counter: [""],
  gauge: [""],
  rate: [""],
  trend: ["", "_bucket", "_sum", "_count"],
} as const;

/**
 * Returns a name that is not taken. Names of metrics may differ only in characters that Prometheus does not
 * allow, or in the suffix of a histogram.
 */
function unusedName(name: string, ends: readonly string[], taken: Set<string>): string {
  let unused = name;
  for (let number = 2; ends.some((end) => taken.has(unused + end)); number++) unused = `${name}_${number}`;
  for (const end of ends) taken.add(unused + end);
  return unused;
}

function samplesOf(labels: SeriesTags, totals: SeriesTotals<ClassicBuckets>): PrometheusSample[] {
  switch (totals.type) {
    case "counter":
      return [{ labels, value: totals.sum }];
    case "gauge":
      return [{ labels, value: totals.value }];
    case "rate":
      return [
        { labels: { ...labels, condition: "true" }, value: totals.passes },
        { labels: { ...labels, condition: "false" }, value: totals.total - totals.passes },
      ];
    case "trend": {
      const { bounds, counts } = totals.distribution;
      let below = 0;
      const buckets = counts.map((count, index): PrometheusSample => {
        below += count;
        return {
          suffix: "_bucket",
          labels: { ...labels, le: String(bounds[index] ?? "+Inf") },
          value: below,
        };
      });
      return [
        ...buckets,
        { suffix: "_sum", labels, value: totals.sum },
        { suffix: "_count", labels, value: totals.count },
      ];
    }
  }
}

/** Labels that this sink adds, and those that Prometheus reserves. */
const reserved = /^(?:le|condition|__.*)$/;

/**
 * Converts tags to labels: characters other than letters, digits and _ become _. The values of tags that then
 * have the same name are joined by ";".
 */
export function labelsOf(tags: SeriesTags): SeriesTags {
  const labels: Record<string, string> = {};
  for (const [tag, value] of Object.entries(tags).toSorted(([left], [right]) => (left < right ? -1 : 1))) {
    const plain = tag.replaceAll(/[^a-zA-Z0-9_]/g, "_").replace(/^(?=\d)/, "_");
    const label = reserved.test(plain) ? `tag_${plain}` : plain;
    labels[label] = Object.hasOwn(labels, label) ? `${labels[label] ?? ""};${value}` : value;
  }
  return labels;
}
