import type { MonitorReport } from "@bearhug/plan/monitors/monitor";
import type { MonitorRequest } from "@bearhug/plan/monitors/monitor-kinds";

/** The start data of the thread that reads monitors. */
export interface MonitorsStart {
  readonly requests: readonly MonitorRequest[];
}

/** Announces the clock's time at which the measured load begins. */
export interface ToMonitorsThread {
  readonly type: "begin";
  readonly atMs: number;
}

export type FromMonitorsThread =
  | { readonly type: "ready" }
  | { readonly type: "report"; readonly report: MonitorReport }
  | { readonly type: "missing"; readonly monitor: string; readonly family: string };
