import { GithubActions, isGithubActions, type GithubOutput } from "@bearhug/report/github/github-actions";
import type { Reporter } from "@bearhug/report/reporter";
import { writesToStdout } from "@bearhug/report/write-report";
import type { ComparisonResult } from "@bearhug/sdk/result";

import type { TestOutcome } from "../../test-set/render-outcomes.ts";
import { plainLog } from "../warn.ts";
import type { ReportedResult } from "./report-result.ts";

/** Reports the end of a run to GitHub Actions; does nothing elsewhere. */
export async function reportToGithub(
  { result, written }: ReportedResult,
  output: GithubOutput,
): Promise<void> {
  await githubActions(output)?.reportResult(result, jsonPath(written));
}

function githubActions(output: GithubOutput = plainLog): GithubActions | null {
  return isGithubActions(process.env) ? new GithubActions(process.env, output) : null;
}

function jsonPath(written: readonly Reporter[]): string | null {
  return (
    written.find(({ name, path = "-" }) => name === "json" && !writesToStdout([`=${path}`]))?.path ?? null
  );
}

/** Reports several tests together to GitHub Actions, after each was reported alone. */
export async function reportTestsToGithub(outcomes: readonly TestOutcome[], exitCode: number): Promise<void> {
  const decisive = outcomes.find((outcome) => outcome.exitCode === exitCode);
  await githubActions()?.reportSeveral(decisive?.result?.verdict ?? "interrupted", exitCode);
}

/** Reports the comparison of two runs to GitHub Actions. */
export async function reportComparisonToGithub(comparison: ComparisonResult): Promise<void> {
  await githubActions()?.reportComparison(comparison);
}

/** Reports to GitHub Actions why a run did not start. */
export async function reportProblemsToGithub(problems: readonly string[], exitCode: number): Promise<void> {
  await githubActions()?.reportProblems(problems, exitCode);
}
