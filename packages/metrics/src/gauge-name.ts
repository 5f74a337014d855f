import { monitoredGauges } from "@bearhug/sdk/internal";
import type { MetricUnit } from "@bearhug/sdk/result";

/** The parts of a monitored gauge's name, such as `server.cpu`. */
export interface MonitoredGaugeName {
  /** The name of the monitor, such as `server`. */
  readonly monitor: string;
  /** The rest of the name: one of `monitoredGauges`, or a metric's name in the monitor's source. */
  readonly gauge: string;
  /** Null if the name does not show it. */
  readonly unit: MetricUnit;
}

const pattern = /^([^.]+)\.(.+)$/;

/** Reads the name of a monitored gauge; undefined for a name without a dot. */
export function readGaugeName(name: string): MonitoredGaugeName | undefined {
  const [, monitor, gauge] = pattern.exec(name) ?? [];
  if (monitor === undefined || gauge === undefined) return undefined;
  return { monitor, gauge, unit: unitOf(gauge) };
}

/**
 * Returns a sentence about a gauge such as `server.cpu`; null if only the monitor's source defines its
 * meaning.
 */
export function describeGauge(name: string): string | null {
  const gauge = readGaugeName(name)?.gauge;
  return gauge !== undefined && isStandard(gauge) ? monitoredGauges[gauge].description : null;
}

function unitOf(gauge: string): MetricUnit {
  if (isStandard(gauge)) return monitoredGauges[gauge].unit;
  return gauge.endsWith("_bytes") ? "bytes" : null;
}

function isStandard(gauge: string): gauge is keyof typeof monitoredGauges {
  return Object.hasOwn(monitoredGauges, gauge);
}
