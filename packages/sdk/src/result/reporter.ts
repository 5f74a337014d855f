import type { IntervalSeries } from "./interval-series.ts";
import type { MonitoredGauge } from "./result-monitors.ts";
import type { GeneratorResult } from "./result-generator.ts";
import type { TestResult } from "./result.ts";
import type { ThresholdResult } from "./threshold-result.ts";

/** The description of a run at its start, as its result will contain it. */
export type RunDescription = Pick<TestResult, "test" | "seed" | "plan">;

/**
 * Watches one run. A reporter, or a function that returns one, is the default export of the file that
 * `--out ./my-reporter.ts` names. It runs in its own thread, and must not block it for 5 s. If it throws, the
 * error is printed and counts as a report that was not written; it changes neither the load nor the verdict.
 * Secrets are masked in everything that it receives.
 */
export interface Reporter {
  /**
   * True to receive `series` with each snapshot. bearhug then calls `onInterval` once more after the load, so
   * that all snapshots together add up to the result. @default false
   */
  readonly wantsSeries?: boolean;
  /**
   * Called once, when the run is planned and before the first request. Not called if the test cannot be
   * loaded.
   */
  onStart?(run: RunDescription): void | Promise<void>;
  /** Called once a second, with the metrics of that second. */
  onInterval?(snapshot: IntervalSnapshot): void | Promise<void>;
  /** Called once, after the verdict on thresholds. The run waits for it, for at most 60 s. */
  onEnd?(result: TestResult): void | Promise<void>;
}

/** The current state of a running test; rates and percentiles cover the second that just ended. */
export interface IntervalSnapshot {
  /** The end of this interval, from the start of the load (warm-up included). */
  readonly atMs: number;
  /** The time since the start of the run, setup included. */
  readonly elapsedMs: number;
  /** The planned duration of the load; null if it ends after a number of iterations. */
  readonly plannedMs: number | null;
  /** True during the warm-up: counts are then those of the warm-up, and nothing is measured. */
  readonly isWarmup: boolean;
  /** Virtual users at work. */
  readonly vus: number;
  /** Iterations that have ended so far. */
  readonly iterations: number;
  /** Requests that have ended so far, with a response or a failure. */
  readonly requests: number;
  /** Requests that ended, per second. */
  readonly requestRate: number;
  /** The share of requests that failed, from 0 to 1. */
  readonly failedRate: number;
  /** The median of `http_req_duration`; null in a second without a sample. */
  readonly p50Ms: number | null;
  /** The 95th percentile of `http_req_duration`; null in a second without a sample. */
  readonly p95Ms: number | null;
  /** The 99th percentile of `http_req_duration`; null in a second without a sample. */
  readonly p99Ms: number | null;
  /** True if `p50Ms` is only a lower bound, because it reaches into censored samples. */
  readonly isP50LowerBound: boolean;
  /** True if `p95Ms` is only a lower bound, because it reaches into censored samples. */
  readonly isP95LowerBound: boolean;
  /** True if `p99Ms` is only a lower bound, because it reaches into censored samples. */
  readonly isP99LowerBound: boolean;
  /** Bytes received so far, warm-up included. */
  readonly receivedBytes: number;
  /** Estimated bytes at the end, if the load continues as now; null if unknown. */
  readonly expectedBytes: number | null;
  /** Iterations that were due so far, but never started. */
  readonly dropped: number;
  /** The scenarios, in the order of the test. */
  readonly scenarios: readonly ScenarioSnapshot[];
  /** Errors so far, most frequent first. */
  readonly errors: readonly ErrorCount[];
  /** The thresholds, in the order of the result's `thresholds`. */
  readonly thresholds: readonly ThresholdStanding[];
  /** The variant whose turn it is at the end of this interval; only in runs with variants. */
  readonly turn?: VariantTurn;
  /** The latest readings of monitors; only in runs with monitors, after their first reading. */
  readonly monitors?: readonly MonitorStanding[];
  /**
   * Agents to which the coordinator has lost the connection: their samples are missing. Absent if there are
   * none.
   */
  readonly missingAgents?: readonly string[];
  /** The health of the load generator so far. */
  readonly generator: Pick<GeneratorResult, "verdict" | "reasons">;
  /** The samples of each series since the last snapshot, without the warm-up; only for reporters with `wantsSeries`. */
  readonly series?: readonly IntervalSeries[];
}

/** The latest readings of a monitor. */
export interface MonitorStanding {
  readonly name: string;
  /** The reason why it could not be read; null if it could. */
  readonly gap: string | null;
  /** The readings, sorted by name. */
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
  /** The length of the turn. */
  readonly lastsMs: number;
  /** The time until the next turn. */
  readonly leftMs: number;
}

/** One scenario of a running test. Rates are per second and cover the second that just ended. */
export interface ScenarioSnapshot {
  readonly name: string;
  /** Iterations that were due, by the scenario's arrival rate; null in closed models. */
  readonly plannedRate: number | null;
  /** Iterations that ended. */
  readonly iterationRate: number;
  /** Virtual users that run an iteration. */
  readonly vus: number;
  /** Iterations that have ended so far. */
  readonly iterations: number;
  /** The number of iterations that the scenario will run; null if it ends after a time. */
  readonly plannedIterations: number | null;
  /** Iterations that were due so far, but never started. */
  readonly dropped: number;
  /** The share of its time that has passed, or of its iterations that have ended, from 0 to 1. */
  readonly progress: number;
  /** The time until it begins; 0 once it has begun. */
  readonly startsInMs: number;
  /** The time until it starts no more iterations; null if it ends after a number of iterations. */
  readonly leftMs: number | null;
}

/** How often one kind of error occurred. */
export interface ErrorCount {
  /** The code, as in the result's `errors`. */
  readonly code: string;
  readonly count: number;
  /** The name of the request that has it most often; for an error in the test's own code, the scenario. */
  readonly name: string;
}

/** The current state of a threshold, which may change until the end. */
export interface ThresholdStanding extends Pick<
  ThresholdResult,
  "metric" | "expression" | "actual" | "unit"
> {
  /** Null while there is nothing to judge: no sample, or no complete window. */
  readonly passed: boolean | null;
  /** True if `actual` is a share, from 0 to 1: the value of a rate. */
  readonly isShare: boolean;
}
