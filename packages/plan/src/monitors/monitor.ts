import type { MetricUnit } from "@bearhug/sdk/result";

/** A server or process whose load is read once a second. */
export interface DescribedMonitor {
  /** The prefix of its gauges' names: `server` has `server.cpu`. */
  readonly name: string;
  /** An address without credentials, or a process. */
  readonly source: string;
}

export const defaultMonitorName = "server";

/** A kind of monitor: its option of the command line, and how the option is read. */
export interface MonitorKind<Request extends DescribedMonitor> {
  readonly flag: string;
  /** The placeholder of the option's value in messages: `URL`. */
  readonly value: string;
  readonly help: string;
  /**
   * The form of this kind among the `monitors` of `runTest`; null if it has none. Each kind
   * has a different type.
   */
  readonly inCode: {
    readonly type: "string" | "number";
    readonly things: string;
    readonly example: string;
  } | null;
  /**
   * The things that this kind reads on the machine that applies the load; null if it reads
   * those of other machines.
   */
  readonly ofThisMachine: string | null;
  /**
   * Reads the option's value; if it is invalid, `refuse` receives the reason. `token` is for a value without
   * credentials; null for none.
   */
  readonly read: (text: string, token: string | null, refuse: (why: string) => void) => Request | null;
}

export interface Reading {
  readonly value: number;
  readonly unit: MetricUnit;
  /** The number of seconds, up to this one, over which a rate was counted. @default 1 */
  readonly seconds?: number;
}

/** Readings by gauge, such as `cpu`. */
export type Readings = Readonly<Record<string, Reading>>;

/** The report of a monitor on one second of the measured load. */
export interface MonitorReport {
  readonly second: number;
  readonly monitor: string;
  readonly readings: Readings;
  /**
   * The reason why there are no readings, as one sentence without a full stop; null if there are readings.
   */
  readonly gap: string | null;
}
