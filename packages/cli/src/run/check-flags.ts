import { lonePathProblems } from "@bearhug/plan/test-file/read-variants";
import type { RunOptions, WrittenOptions } from "@bearhug/plan/test-file/run-options";
import { earlyThresholdProblems } from "@bearhug/plan/test-file/thresholds";
import { findOutProblems, ndjsonPath } from "@bearhug/report/index";
import { readSampleRule } from "@bearhug/report/ndjson/sample-rule";
import { readSinks } from "@bearhug/report/sinks/read-sinks";

/** The unparsed options of a run, from a command line, variables, or `runTest`. */
export interface WrittenRun extends WrittenOptions {
  readonly out: readonly string[];
  readonly samples?: string | undefined;
}

export interface LoadedFile {
  readonly file?: string | undefined;
  /** True if the file may declare metrics, which are unknown until it is loaded. */
  readonly hasOwnMetrics: boolean;
  /** Further files to read. */
  readonly inputs?: readonly (string | undefined)[];
}

/**
 * Checks options that were read against each other, and against the files that they name. Adds a sentence to
 * `problems` for each that cannot be used.
 */
export function checkFlags(
  flags: WrittenRun,
  options: RunOptions,
  { file, hasOwnMetrics, inputs: further = [] }: LoadedFile,
  problems: string[],
): void {
  problems.push(...earlyThresholdProblems(options, hasOwnMetrics));
  if (file !== undefined) problems.push(...lonePathProblems(options.variants));
  const certificates = [flags.ca, flags.cacert, flags.cert, flags.key];
  const inputs = [file, flags.envFile, ...certificates, ...further].filter((path) => path !== undefined);
  problems.push(...findOutProblems(flags.out, inputs));
  readSinks(flags.out, process.env, problems);
  readSampleRule(flags.samples, ndjsonPath(flags.out), problems);
}
