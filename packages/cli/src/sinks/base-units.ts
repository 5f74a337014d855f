import type { IntervalSeries } from "@bearhug/sdk";

/** The unit of exported values: durations are in seconds, as OpenTelemetry and Prometheus want them. */
export type BaseUnit = "seconds" | "bytes" | null;

export function baseUnitOf(unit: IntervalSeries["unit"]): BaseUnit {
  return unit === "ms" ? "seconds" : unit;
}

/** A value of a metric in the base unit of its own unit. */
export function inBaseUnit(value: number, unit: IntervalSeries["unit"]): number {
  return unit === "ms" ? value / 1000 : value;
}
