import { readRunOptions, type RunOptions, type WrittenOptions } from "@bearhug/plan/test-file/run-options";
import { InvalidInput } from "@bearhug/sdk";
import { printable, writePosition } from "@bearhug/sdk/internal";

import type { PlacedProblem } from "../../documents/documents.ts";
import { findAllTests, findTestFiles } from "../../test-set/find-test-files.ts";
import { onlyTestProblem } from "../command-line/test-file-problem.ts";

/** A module that loads for longer is given up. */
export const loadTimeoutMs = 20_000;

/** The tests that a command line names, or all. @throws {InvalidInput} with everything that is wrong with it */
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

/** As compilers write it, so that editors find the place. */
export function describeProblem(problem: PlacedProblem): string {
  return describe(problem, "error");
}

/** The same for what a run would refuse, and a plan does not need. */
export function describeWarning(warning: PlacedProblem): string {
  return describe(warning, "warning");
}

function describe(problem: PlacedProblem, severity: string): string {
  return printable(`${writePosition(problem)}: ${severity}: ${problem.message}`);
}
