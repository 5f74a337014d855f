import type { MetricUnit } from "@bearhug/sdk/internal";

/** Something whose load is read once a second: a server, or a process. */
export interface DescribedMonitor {
  /** Names of its gauges begin with it: `server` has `server.cpu`. */
  readonly name: string;
  /** An address without credentials, or a process. */
  readonly source: string;
}

export interface Reading {
  readonly value: number;
  readonly unit: MetricUnit;
  /** Seconds that a rate was counted over, up to this one. @default 1 */
  readonly seconds?: number;
}

/** Readings by gauge, such as `cpu`. */
export type Readings = Readonly<Record<string, Reading>>;

/** The report of a monitor on one second of the measured load. */
export interface MonitorReport {
  readonly second: number;
  /** The monitor's name. */
  readonly monitor: string;
  readonly readings: Readings;
  /** Why there are no readings, in one sentence without its stop; null where there are. */
  readonly gap: string | null;
}
