import type { IntervalSeries } from "./interval-series.ts";
import type { TestResult } from "./result.ts";

/** A run that begins, as its result will describe it. */
export type RunDescription = Pick<TestResult, "test" | "seed" | "plan">;

/**
 * Watches one run: the default export of a file that `--out ./my-reporter.ts` names, or a function that returns one. It runs in
 * a thread of its own, which it may not block for 5 s. What it throws is told, and counts as a report that was not written;
 * the load and its verdict stay as they are. Everything that it is given is free of secrets.
 */
export interface Reporter {
  /**
   * True to be given `series` with each snapshot. `onInterval` is then called once more when the load is over, so that the sums
   * of all snapshots are those of the result. @default false
   */
  readonly wantsSeries?: boolean;
  /** Once, when the run is decided and nothing was sent yet. Not called for a test that cannot be loaded. */
  onStart?(run: RunDescription): void | Promise<void>;
  /** Once a second, with the metrics of that second. */
  onInterval?(snapshot: IntervalSnapshot): void | Promise<void>;
  /** Once, after thresholds are decided. The run waits for it, for at most 60 s. */
  onEnd?(result: TestResult): void | Promise<void>;
}

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
  /** What each series gathered since the last snapshot, without the warm-up; only for reporters with `wantsSeries`. */
  readonly series?: readonly IntervalSeries[];
}
