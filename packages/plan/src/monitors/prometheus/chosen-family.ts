import type { MetricUnit } from "@bearhug/sdk/result";

import type { Quantity } from "../quantity.ts";
import { type PrometheusSample, type Scrape, seriesOf } from "./parse-text.ts";

/** A family that the user chose, such as `queue_depth{queue="mail"}`. */
export interface ChosenFamily {
  /** The gauge's name after the monitor's name. */
  readonly gauge: string;
  readonly family: string;
  /** Only samples with these labels; empty for all. */
  readonly labels: Readonly<Record<string, string>>;
}

/**
 * Returns the quantities of a chosen family; none if the scrape does not have it. Its series are added up.
 */
export function quantitiesOf(
  { gauge, family, labels }: ChosenFamily,
  { samples, types }: Scrape,
): readonly Quantity[] {
  const isCounter = isCounterFamily(family, types);
  const unit = unitOf(family, isCounter);
  return samples.filter(hasName(family, labels)).map((sample) => {
    const { value, timestampMs: countedAtMs } = sample;
    if (!isCounter) return { kind: "level", gauge, unit, value };
    return { kind: "counter", gauge, unit, series: seriesOf(sample), value, countedAtMs };
  });
}

/** Returns the family as the exporter would write it: `queue_depth{queue="mail"}`. */
export function describeFamily({ family, labels }: ChosenFamily): string {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}=${JSON.stringify(value)}`);
  return pairs.length === 0 ? family : `${family}{${pairs.join(",")}}`;
}

/** Returns a filter that accepts samples of one name that have all of these labels. */
export function hasName(
  name: string,
  labels: Readonly<Record<string, string>> = {},
): (sample: PrometheusSample) => boolean {
  const wanted = Object.entries(labels);
  return (sample) => sample.name === name && wanted.every(([label, value]) => sample.labels[label] === value);
}

/**
 * True for counters. OpenMetrics names the family of a counter without its `_total`. The sums and counts of
 * histograms are counters, too.
 */
function isCounterFamily(name: string, types: Scrape["types"]): boolean {
  const type = types.get(name) ?? types.get(name.replace(/_total$/, ""));
  if (type !== undefined && type !== "unknown" && type !== "untyped") return type === "counter";
  const family = types.get(name.replace(/_(count|sum|bucket)$/, ""));
  return family === "histogram" || family === "summary" || name.endsWith("_total");
}

function unitOf(name: string, isCounter: boolean): MetricUnit {
  if (/_bytes(_total|_sum)?$/.test(name)) return isCounter ? "bytes/s" : "bytes";
  if (isCounter) return /_seconds(_total|_sum)?$/.test(name) ? null : "/s";
  return /_percent(age)?$/.test(name) ? "%" : null;
}
