import type { MetricUnit } from "./built-in-metrics.ts";

/** The gauges that every kind of monitor may have, by the part of their name after the monitor's. */
export const monitoredGauges = {
  cpu: { unit: "%", description: "CPU in use, as a share of all cores." },
  memory: { unit: "bytes", description: "Memory in use." },
  memory_percent: { unit: "%", description: "Memory in use, as a share of the whole." },
  descriptors: { unit: null, description: "Open file descriptors." },
  sockets: { unit: null, description: "TCP sockets in use." },
  network_received: { unit: "bytes/s", description: "Bytes received per second." },
  network_sent: { unit: "bytes/s", description: "Bytes sent per second." },
  process_cpu: { unit: "%", description: "CPU of the process: 100 % is one core." },
  process_memory: { unit: "bytes", description: "Resident memory of the process." },
  process_descriptors: { unit: null, description: "Open file descriptors of the process." },
} as const;

/** A gauge with the same meaning for every kind of monitor. */
export type StandardGauge = keyof typeof monitoredGauges;

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

function isStandard(gauge: string): gauge is StandardGauge {
  return Object.hasOwn(monitoredGauges, gauge);
}
