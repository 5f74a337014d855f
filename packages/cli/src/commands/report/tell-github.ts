import { GithubActions, isGithubActions, type GithubOutput } from "@bearhug/report/github/github-actions";
import type { Reporter } from "@bearhug/report/reporter";
import { isForStdout } from "@bearhug/report/write-report";
import type { ComparisonResult } from "@bearhug/sdk/result";

import type { TestOutcome } from "../../test-set/render-outcomes.ts";
import type { Told } from "./report-result.ts";

/** Tells a job of GitHub Actions how a run ended; does nothing elsewhere. */
export async function tellGithub({ result, written }: Told, output: GithubOutput): Promise<void> {
  if (!isGithubActions(process.env)) return;
  const github = new GithubActions(process.env, output);
  await github.tellResult(result, jsonPath(written));
}

function jsonPath(written: readonly Reporter[]): string | null {
  return written.find(({ name, path = "-" }) => name === "json" && !isForStdout([`=${path}`]))?.path ?? null;
}

/** The same for several tests together, after each of them was told. */
export async function tellGithubTogether(
  outcomes: readonly TestOutcome[],
  exitCode: number,
  output: GithubOutput,
): Promise<void> {
  if (!isGithubActions(process.env)) return;
  const decisive = outcomes.find((outcome) => outcome.exitCode === exitCode);
  await new GithubActions(process.env, output).tellTogether(
    decisive?.result?.verdict ?? "interrupted",
    exitCode,
  );
}

/** The same for how two runs compare. */
export async function tellGithubOfComparison(
  comparison: ComparisonResult,
  output: GithubOutput,
): Promise<void> {
  if (isGithubActions(process.env)) await new GithubActions(process.env, output).tellComparison(comparison);
}

/** The same for a run that did not come about. */
export async function tellGithubOfProblems(
  problems: readonly string[],
  exitCode: number,
  print: (line: string) => void,
): Promise<void> {
  const output = {
    print,
    warn: (text: string) => {
      print(`bearhug: ${text}`);
    },
  };
  await new GithubActions(process.env, output).tellProblems(problems, exitCode);
}
