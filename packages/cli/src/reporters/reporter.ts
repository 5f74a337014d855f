import type { IntervalSnapshot, TestResult } from "@bearhug/sdk";

/** Watches one test run. A reporter that throws is reported on stderr and never fails the run. */
export interface Reporter {
  readonly name: string;
  /** The file that it writes; absent for a stream. */
  readonly path?: string;
  /** Once a second, with the merged metrics of that second. Must not block. */
  onInterval?(snapshot: IntervalSnapshot): void;
  /** Once, after thresholds are decided. The process waits for it before exiting. */
  onEnd(result: TestResult): void | Promise<void>;
}
