import type { MetricUnit } from "@bearhug/sdk/internal";

/** One objective of `--slo`, as capacity judges it. */
export interface Objective {
  /** As it was written: `http_req_response_time: p(99)<200ms`. */
  readonly text: string;
  readonly metric: ObjectiveMetric | MonitoredMetric;
  /** A share of requests that may violate the objective, or the mean of a time or of a monitored gauge. */
  readonly judges: "share" | "mean";
  /** The allowed share, or the greatest mean, in milliseconds or in the gauge's unit. */
  readonly bound: number;
  /** A request that took longer violates the objective; null where failed requests do. */
  readonly limitMs: number | null;
  /** The unit of a monitored gauge; absent for times and shares. */
  readonly gaugeUnit?: MetricUnit;
}

/** A gauge of a monitor, such as `server.cpu`. */
export type MonitoredMetric = `${string}.${string}`;

export type ObjectiveMetric = "http_req_response_time" | "http_req_duration" | "http_req_failed";

/** One interval of a trial, as one objective sees it. */
export interface Batch {
  readonly samples: number;
  /** Requests that violate the objective; the sum of all times in milliseconds where its mean is judged. */
  readonly total: number;
  /** Requests among the slowest fifth of the trial: their clustering shows how far requests depend on each other. */
  readonly slow: number;
}
