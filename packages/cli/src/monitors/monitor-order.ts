import type { DescribedMonitor } from "./monitor.ts";
import type { ChosenFamily } from "./prometheus/chosen-family.ts";

/** A monitor as the user ordered it. Plain data: it crosses to the thread that reads. */
export type MonitorOrder = ScrapeOrder | ProcessOrder;

export interface ScrapeOrder extends DescribedMonitor {
  readonly kind: "scrape";
  /** Without credentials. */
  readonly url: string;
  /** The value of the `authorization` header; null for none. */
  readonly authorization: string | null;
  /** Besides those that are known to be of servers. */
  readonly chosen: readonly ChosenFamily[];
}

export interface ProcessOrder extends DescribedMonitor {
  readonly kind: "process";
  readonly pid: number;
}
