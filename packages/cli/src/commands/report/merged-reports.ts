import {
  createReporters,
  findLiveOutProblems,
  findOutProblems,
  reportsOfResults,
} from "@bearhug/report/index";
import type { Reporter } from "@bearhug/report/reporter";
import { InvalidInput } from "@bearhug/sdk";
import { Option } from "commander";
import { repeatableOption } from "../options.ts";

/** Returns `--out` for commands that report data recorded by other machines or earlier runs. */
export function mergedReportsOption(): Option {
  return repeatableOption("--out <reporter=path>", `also write a report: ${reportsOfResults}`).helpGroup(
    "Output:",
  );
}

/**
 * Returns a sentence for each report that cannot be written from recordings or results. `inputs`: files that
 * reports must not overwrite.
 */
export function findMergedReportProblems(out: readonly string[], inputs: readonly string[]): string[] {
  return [...findLiveOutProblems(out), ...findOutProblems(out, inputs)];
}

/**
 * Creates the reporters of a command that reports recordings or results. @throws {InvalidInput} with all
 * problems of `out`
 */
export function createMergedReporters(out: readonly string[], inputs: readonly string[]): Reporter[] {
  const problems = findMergedReportProblems(out, inputs);
  if (problems.length > 0) throw new InvalidInput(problems);
  return createReporters(out, inputs);
}
