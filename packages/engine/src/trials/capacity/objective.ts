import type { MetricUnit } from "@bearhug/sdk/result";

/** One objective of `--slo`, as capacity judges it. */
export interface Objective {
  /** The text of the option: `http_req_response_time: p(99)<200ms`. */
  readonly text: string;
  readonly metric: ObjectiveMetric | MonitoredMetric;
  /** A share of requests that may violate the objective, or the mean of a time or of a monitored gauge. */
  readonly judges: "share" | "mean";
  /** The allowed share, or the greatest mean, in milliseconds or in the gauge's unit. */
  readonly bound: number;
  /** Requests that took longer violate the objective; null if failed requests do, or if a mean is judged. */
  readonly limitMs: number | null;
  /** The unit of a monitored gauge; absent for times and shares. */
  readonly gaugeUnit?: MetricUnit;
}

/** A gauge of a monitor, such as `server.cpu`. */
export type MonitoredMetric = `${string}.${string}`;

export type ObjectiveMetric = "http_req_response_time" | "http_req_duration" | "http_req_failed";

/** One interval of a trial, for one objective. */
export interface Batch {
  readonly samples: number;
  /** Requests that violate the objective; if a mean is judged, the sum of all times in milliseconds. */
  readonly total: number;
  /** Requests among the slowest fifth of the trial: their clustering shows how far requests depend on each other. */
  readonly slow: number;
}
