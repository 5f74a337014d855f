/** One interval of the run. Rates are requests per second. */
export interface LoadSecond {
  readonly fromMs: number;
  readonly toMs: number;
  readonly goodput: number;
  readonly failed: number;
  readonly dropped: number;
  /** The 95th percentile of the response times of requests that succeeded, in ms; null without any. */
  readonly p95: number | null;
  readonly connectionsOpened: number;
  /** Iterations that ended, per second. */
  readonly iterations: number;
}
