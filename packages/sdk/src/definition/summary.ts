import type { TestResult } from "../result/result.ts";

/** A test's own summary: the text to print in place of the default summary, or its parts. */
export type Summary = string | SummaryParts;

/** The parts of a test's own summary. */
export interface SummaryParts {
  /** Text to print in place of the default summary. @default the default summary */
  readonly stdout?: string;
  /** Contents of files to write, by their paths inside the working directory. @default none */
  readonly files?: Readonly<Record<string, string>>;
}

/** Makes the summary of a run from its result, which contains no secrets. */
export type Summarize = (result: TestResult) => Summary | Promise<Summary>;
