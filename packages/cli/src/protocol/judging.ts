/** Options of the command line for the rules that judge a run besides its thresholds. */
export interface JudgingOptions {
  /** The share of requests or iterations that may fail, 0–1; absent: 5 % where no threshold judges failures. */
  readonly maxFailed?: number;
  /** A saturated load generator does not fail the run. */
  readonly allowsSaturated?: true;
}
