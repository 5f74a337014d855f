import type { MetricUnit } from "@bearhug/sdk/internal";

/** Something whose load is read once a second: a server, or a process. */
export interface DescribedMonitor {
  /** Names of its gauges begin with it: `server` has `server.cpu`. */
  readonly name: string;
  /** An address without credentials, or a process. */
  readonly source: string;
}

/** The name of a monitor that is given none. */
export const usualName = "server";

/** A kind of monitor: its option of the command line, and how that is read. */
export interface MonitorKind<Order extends DescribedMonitor> {
  readonly flag: string;
  /** Stands for the option's value in messages: `URL`. */
  readonly value: string;
  readonly help: string;
  /** What stands for it among the `monitors` of `runTest`; null where nothing does. Each kind has a type of its own. */
  readonly inCode: {
    readonly type: "string" | "number";
    readonly things: string;
    readonly example: string;
  } | null;
  /** The things of the machine that runs the load which this kind reads; null if it reads those of other machines. */
  readonly ofThisMachine: string | null;
  /** Reads the option's value; without an order, `refuse` gets the reason. `token` is the monitor's own; null for none. */
  readonly read: (text: string, token: string | null, refuse: (why: string) => void) => Order | null;
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
