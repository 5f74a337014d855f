import type { Reporter as PublicReporter, TestResult } from "@bearhug/sdk";

/** A reporter of this program's own, or one that stands for a user's. One that throws is told of and never fails the run. */
export interface Reporter extends PublicReporter {
  readonly name: string;
  /** The file that it writes; absent for a stream. */
  readonly path?: string;
  onEnd(result: TestResult): void | Promise<void>;
}
