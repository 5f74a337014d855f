import type { IntervalSnapshot } from "./interval-snapshot.ts";
import type { TestResult } from "./result.ts";

/** A run that begins, as its result will describe it. */
export type RunDescription = Pick<TestResult, "test" | "seed" | "plan">;

/**
 * Watches one run: the default export of a file that `--out ./my-reporter.ts` names, or a function that returns one. It runs in
 * a thread of its own, which it may not block for 5 s. What it throws is told, and counts as a report that was not written;
 * the load and its verdict stay as they are. Everything that it is given is free of secrets.
 */
export interface Reporter {
  /** Once, when the run is decided and nothing was sent yet. Not called for a test that cannot be loaded. */
  onStart?(run: RunDescription): void | Promise<void>;
  /** Once a second, with the metrics of that second. */
  onInterval?(snapshot: IntervalSnapshot): void | Promise<void>;
  /** Once, after thresholds are decided. The run waits for it, for at most 60 s. */
  onEnd?(result: TestResult): void | Promise<void>;
}
