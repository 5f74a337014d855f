/** A running test as it stands; rates and the percentile are of the second that just ended. */
export interface IntervalSnapshot {
  /** From the start of the load, its warm-up included, to the end of this interval. */
  readonly atMs: number;
  /** From the start of the run, setup included. */
  readonly elapsedMs: number;
  /** How long the load is planned to last; null where iterations decide. */
  readonly plannedMs: number | null;
  /** True while the load is warming up: counts are then of the warm-up, and nothing is measured. */
  readonly isWarmup: boolean;
  readonly vus: number;
  /** Ended so far. */
  readonly iterations: number;
  /** Answered or failed so far. */
  readonly requests: number;
  readonly requestRate: number;
  /** The share of requests that failed, from 0 to 1. */
  readonly failedRate: number;
  /** Of `http_req_duration`; null in a second without an answer. */
  readonly p95Ms: number | null;
  /** The percentile reaches into samples that were cut off, and may truly be greater. */
  readonly isP95LowerBound: boolean;
  /** Bytes received so far, warm-up included. */
  readonly receivedBytes: number;
  /** Estimated bytes at the end, if the load continues as now; null if unknown. */
  readonly expectedBytes: number | null;
  /** Iterations that were due so far, but never started. */
  readonly dropped: number;
}
