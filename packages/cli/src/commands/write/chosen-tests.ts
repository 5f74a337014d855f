import { writePosition } from "@bearhug/metrics/results/source-position";
import { readRunOptions, type RunOptions, type WrittenOptions } from "@bearhug/plan/test-file/run-options";
import { InvalidInput } from "@bearhug/sdk";
import { printable } from "@bearhug/text/printable";

import type { PlacedProblem } from "../../documents/documents.ts";
import { findAllTests, findTestFiles } from "../../test-set/find-test-files.ts";
import { onlyTestProblem } from "../command-line/test-file-problem.ts";

/** Returns the tests named on a command line, or all. @throws {InvalidInput} with all problems */
export async function chosenTests(
  patterns: readonly string[],
  written: WrittenOptions,
): Promise<{ readonly files: readonly string[]; readonly options: RunOptions }> {
  const problems: string[] = [];
  const options = readRunOptions(written, problems);
  const files =
    patterns.length === 0 ? await findAllTests() : await findTestFiles(patterns, onlyTestProblem, problems);
  if (problems.length > 0) throw new InvalidInput(problems);
  return { files, options };
}

/** Formats a problem like a compiler's error, so that editors find the place. */
export function describeProblem(problem: PlacedProblem): string {
  return describe(problem, "error");
}

/** Formats a warning in the same way: a problem that would prevent a run but not a plan. */
export function describeWarning(warning: PlacedProblem): string {
  return describe(warning, "warning");
}

function describe(problem: PlacedProblem, severity: string): string {
  return printable(`${writePosition(problem)}: ${severity}: ${problem.message}`);
}
