import { descriptionOf, exportedName } from "../exported-metric.ts";
import type { MetricTotals, SeriesTotals, Tags, Totals } from "../totals.ts";
import type { ClassicBuckets } from "./classic-buckets.ts";

/** The media type of Prometheus' text format. */
export const textFormat = "text/plain; version=0.0.4; charset=utf-8";

/** Facts of a run that `/metrics` has besides its series. */
export interface ExposedRun {
  /** The name of the test; null until the run is decided. */
  readonly test: string | null;
}

const infoName = "bearhug_run_info";

/** All series of a run in Prometheus' text format. Their tags must be labels. */
export function renderMetrics(totals: Totals<ClassicBuckets>, { test }: ExposedRun): string {
  const taken = new Set([infoName]);
  const families = [...totals.metrics].map((metric) => {
    const name = unusedName(familyName(metric), suffixes[metric.type], taken);
    const samples = Array.from(metric.series.values(), ({ tags, totals: series }) =>
      describeSeries(name, tags, series),
    );
    return `${helpOf(metric, name)}# TYPE ${name} ${types[metric.type]}\n${samples.flat().join("")}`;
  });
  const help = `# HELP ${infoName} The test that runs.\n# TYPE ${infoName} gauge\n`;
  const run = test === null ? "" : `${help}${sample(infoName, { test }, 1)}`;
  return run + families.join("");
}

const types = { counter: "counter", gauge: "gauge", rate: "counter", trend: "histogram" } as const;

/** Empty for metrics that a test declares: they have no description. */
function helpOf({ metric, type }: MetricTotals<ClassicBuckets>, name: string): string {
  const description = descriptionOf(metric);
  if (description === null) return "";
  return `# HELP ${name} ${description}${type === "rate" ? " Samples by condition." : ""}\n`;
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

/** Names of metrics may differ only in characters that Prometheus does not allow, or in the suffix of a histogram. */
function unusedName(name: string, ends: readonly string[], taken: Set<string>): string {
  let unused = name;
  for (let number = 2; ends.some((end) => taken.has(unused + end)); number++) unused = `${name}_${number}`;
  for (const end of ends) taken.add(unused + end);
  return unused;
}

function describeSeries(name: string, labels: Tags, totals: SeriesTotals<ClassicBuckets>): string[] {
  switch (totals.type) {
    case "counter":
      return [sample(name, labels, totals.sum)];
    case "gauge":
      return [sample(name, labels, totals.value)];
    case "rate":
      return [
        sample(name, { ...labels, condition: "true" }, totals.passes),
        sample(name, { ...labels, condition: "false" }, totals.total - totals.passes),
      ];
    case "trend": {
      const { bounds, counts } = totals.distribution;
      let below = 0;
      const buckets = counts.map((count, index) => {
        below += count;
        return sample(`${name}_bucket`, { ...labels, le: String(bounds[index] ?? "+Inf") }, below);
      });
      return [
        ...buckets,
        sample(`${name}_sum`, labels, totals.sum),
        sample(`${name}_count`, labels, totals.count),
      ];
    }
  }
}

function sample(name: string, labels: Tags, value: number): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escapeValue(text)}"`);
  return `${name}${pairs.length === 0 ? "" : `{${pairs.join(",")}}`} ${value}\n`;
}

/** Labels that are ours, and those that Prometheus keeps for itself. */
const reserved = /^(?:le|condition|__.*)$/;

/** Tags as labels: other characters than letters, digits and _ become _. Values of tags that look alike then are joined by ";". */
export function labelsOf(tags: Tags): Tags {
  const labels: Record<string, string> = {};
  for (const [tag, value] of Object.entries(tags).toSorted(([left], [right]) => (left < right ? -1 : 1))) {
    const plain = tag.replaceAll(/[^a-zA-Z0-9_]/g, "_").replace(/^(?=\d)/, "_");
    const label = reserved.test(plain) ? `tag_${plain}` : plain;
    labels[label] = Object.hasOwn(labels, label) ? `${labels[label] ?? ""};${value}` : value;
  }
  return labels;
}

function escapeValue(text: string): string {
  return text
    .replaceAll("\\", String.raw`\\`)
    .replaceAll('"', String.raw`\"`)
    .replaceAll("\n", String.raw`\n`);
}
