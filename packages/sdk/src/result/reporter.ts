import type { IntervalSeries } from "./interval-series.ts";
import type { MonitoredGauge } from "./result-monitors.ts";
import type { GeneratorResult } from "./result-generator.ts";
import type { TestResult } from "./result.ts";
import type { ThresholdResult } from "./threshold-result.ts";

/** A run that begins, as its result will describe it. */
export type RunDescription = Pick<TestResult, "test" | "seed" | "plan">;

/**
 * Watches one run: the default export of a file that `--out ./my-reporter.ts` names, or a function that returns one. It runs in
 * a thread of its own, which it may not block for 5 s. What it throws is reported, and counts as a report that was not written;
 * the load and its verdict stay as they are. Everything that it is given is free of secrets.
 */
export interface Reporter {
  /**
   * True to get `series` with each snapshot. bearhug then calls `onInterval` once more after the load, so that all snapshots
   * together add up to the result. @default false
   */
  readonly wantsSeries?: boolean;
  /** Once, when the run is decided and nothing was sent yet. Not called for a test that cannot be loaded. */
  onStart?(run: RunDescription): void | Promise<void>;
  /** Once a second, with the metrics of that second. */
  onInterval?(snapshot: IntervalSnapshot): void | Promise<void>;
  /** Once, after thresholds are decided. The run waits for it, for at most 60 s. */
  onEnd?(result: TestResult): void | Promise<void>;
}

/** The current state of a running test; rates and percentiles cover the second that just ended. */
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
  /** The median of `http_req_duration`; null in a second without an answer. */
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
  readonly p99Ms: number | null;
  /** The percentile reaches into samples that were cut off, and may truly be greater. */
  readonly isP50LowerBound: boolean;
  readonly isP95LowerBound: boolean;
  readonly isP99LowerBound: boolean;
  /** Bytes received so far, warm-up included. */
  readonly receivedBytes: number;
  /** Estimated bytes at the end, if the load continues as now; null if unknown. */
  readonly expectedBytes: number | null;
  /** Iterations that were due so far, but never started. */
  readonly dropped: number;
  /** In the order of the test. */
  readonly scenarios: readonly ScenarioSnapshot[];
  /** So far, most frequent first. */
  readonly errors: readonly ErrorCount[];
  /** In the order of the result's `thresholds`. */
  readonly thresholds: readonly ThresholdStanding[];
  /** The variant whose turn it is at the end of this interval; only in runs with variants. */
  readonly turn?: VariantTurn;
  /** The latest readings of monitors; only in runs with monitors that have had readings. */
  readonly monitors?: readonly MonitorStanding[];
  /** Agents that the coordinator has lost touch with: their samples are missing; absent where there are none. */
  readonly missingAgents?: readonly string[];
  /** The health of the load generator so far. */
  readonly generator: Pick<GeneratorResult, "verdict" | "reasons">;
  /** The samples of each series since the last snapshot, without the warm-up; only for reporters with `wantsSeries`. */
  readonly series?: readonly IntervalSeries[];
}

/** The latest readings of a monitor. */
export interface MonitorStanding {
  readonly name: string;
  /** Why it could not be read; null if it could. */
  readonly gap: string | null;
  /** By name. */
  readonly gauges: readonly GaugeReading[];
}

/** The latest reading of a monitored gauge. */
export interface GaugeReading extends Pick<MonitoredGauge, "metric" | "unit"> {
  /** Null if it could not be read. */
  readonly value: number | null;
}

/** The turn of a variant. */
export interface VariantTurn {
  /** The name of the variant. */
  readonly variant: string;
  readonly lastsMs: number;
  /** Until the next turn, in ms. */
  readonly leftMs: number;
}

/** One scenario of a running test. Rates are per second and cover the second that just ended. */
export interface ScenarioSnapshot {
  readonly name: string;
  /** Iterations that were due, by the scenario's arrival rate; null where virtual users decide. */
  readonly plannedRate: number | null;
  /** Iterations that ended. */
  readonly iterationRate: number;
  /** Virtual users that run an iteration. */
  readonly vus: number;
  /** Ended so far. */
  readonly iterations: number;
  /** The iterations that the scenario will run; null if time decides. */
  readonly plannedIterations: number | null;
  /** Iterations that were due so far, but never started. */
  readonly dropped: number;
  /** The share of its time that has passed, or of its iterations that are over, from 0 to 1. */
  readonly progress: number;
  /** Until it begins, in ms; 0 once it has. */
  readonly startsInMs: number;
  /** Until it starts no more iterations, in ms; null where iterations decide. */
  readonly leftMs: number | null;
}

/** How often one kind of error occurred. */
export interface ErrorCount {
  /** As in the result's `errors`. */
  readonly code: string;
  readonly count: number;
  /** The most frequent request; the scenario for an error in the test's own code. */
  readonly name: string;
}

/** The current state of a threshold, which may change until the end. */
export interface ThresholdStanding extends Pick<
  ThresholdResult,
  "metric" | "expression" | "actual" | "unit"
> {
  /** Null as long as there is nothing to judge: no sample, or no full window. */
  readonly passed: boolean | null;
  /** True if `actual` is a share, from 0 to 1: the value of a rate. */
  readonly isShare: boolean;
}
