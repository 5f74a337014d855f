import type { IntervalSeries } from "@bearhug/sdk";

/** The unit of exported values: seconds and shares of 1, as OpenTelemetry and Prometheus expect. */
export type BaseUnit = "seconds" | "bytes" | "ratio" | "bytes_per_second" | "per_second" | null;

const baseUnits = {
  ms: "seconds",
  bytes: "bytes",
  "%": "ratio",
  "bytes/s": "bytes_per_second",
  "/s": "per_second",
} as const;

/**
 * Returns the unit of a metric's exported values. A gauge read from a Prometheus exporter names its unit, and
 * its values are not converted.
 */
export function baseUnitOf({
  metric,
  type,
  unit,
}: Pick<IntervalSeries, "metric" | "type" | "unit">): BaseUnit {
  if (unit !== null) return baseUnits[unit];
  if (type !== "gauge") return null;
  return namedUnits.find((named) => metric.endsWith(`_${named}`)) ?? null;
}

const namedUnits = ["seconds", "ratio"] as const;

/** Converts a value of a metric to its base unit. */
export function inBaseUnit(value: number, unit: IntervalSeries["unit"]): number {
  if (unit === "ms") return value / 1000;
  return unit === "%" ? value / 100 : value;
}
