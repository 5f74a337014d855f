import type { Reporter as PublicReporter, TestResult } from "@bearhug/sdk";

/**
 * A built-in reporter, or the stand-in for a user's own. An exception in one is reported and never fails the
 * run.
 */
export interface Reporter extends PublicReporter {
  readonly name: string;
  /** The file that it writes; absent for a stream. */
  readonly path?: string;
  onEnd(result: TestResult): void | Promise<void>;
}
