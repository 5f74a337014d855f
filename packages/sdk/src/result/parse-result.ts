import type { Problem } from "../validation/problem.ts";
import { ProblemCollector } from "../validation/problem-collector.ts";
import { testResultSchema } from "./result.ts";
import type { TestResult } from "./result.ts";

/** The outcome of {@link parseResult}. */
export interface ParsedResult {
  /** Every problem; empty for a valid result. */
  readonly problems: readonly Problem[];
  /** The result; absent where there are problems. */
  readonly result?: TestResult;
}

/**
 * Judges a value, such as a file's parsed JSON, as a result document of `bearhug/result@1`.
 * Properties that this release does not know are left out. Throws nothing.
 */
export function parseResult(value: unknown): ParsedResult {
  const collector = new ProblemCollector("The result");
  const result = collector.read(testResultSchema, value, []);
  return { problems: collector.problems, ...(result && { result }) };
}
