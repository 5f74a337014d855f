import { isAbsolute, relative, resolve, sep } from "node:path";

import type { SummarizeResult } from "@bearhug/engine/run/run-request";
import { realFolder } from "@bearhug/report/file-output/file-identity";
import { writeFiles } from "@bearhug/report/file-output/write-files";
import { addUnwrittenReports, type Multiplexer } from "@bearhug/report/multiplexer";
import type { Reporter } from "@bearhug/report/reporter";
import { ReportNotWritten, whyPathUnusable } from "@bearhug/report/write-report";
import type { TestResult } from "@bearhug/sdk";

import { setExitCode } from "../leave.ts";
import type { OpenTerminal } from "../open-terminal.ts";

/** The outcome of reporting a result. */
export interface ReportedResult {
  /** The result, including the exit code and the reasons if something could not be written. */
  readonly result: TestResult;
  /** True if every report was written. */
  readonly isComplete: boolean;
  /** Reports that were written, besides the summary. */
  readonly written: readonly Reporter[];
}

/**
 * Reports a result, and sets the exit code. Files come first: the summary mentions those that could not be
 * written.
 * @param own null to show the default summary
 */
export async function reportResult(
  files: Multiplexer,
  summary: Multiplexer,
  result: TestResult,
  own: OwnSummary | null = null,
): Promise<ReportedResult> {
  const ending = await files.onEnd(result);
  const reported = addUnwrittenReports(result, ending.problems);
  const made = own === null ? null : await writeTestSummary(own, reported);
  const { stdout, problems } = made ?? { stdout: null, problems: [] };
  const shownResult = addUnwrittenReports(reported, problems);
  const shown = own === null || stdout === null ? summary : own.ownSummary(stdout);
  const { problems: unshown } = await shown.onEnd(shownResult);
  const { exitCode } = addUnwrittenReports(shownResult, unshown);
  setExitCode(exitCode);
  return {
    result: { ...shownResult, exitCode },
    isComplete: [...ending.problems, ...problems, ...unshown].length === 0,
    written: ending.written,
  };
}

/** The inputs of a test's own summary. */
export interface OwnSummary extends Pick<OpenTerminal, "ownSummary" | "warn"> {
  readonly summarize: SummarizeResult;
  /** Files that the command reads; the summary must not overwrite them. */
  readonly inputs: readonly string[];
}

/** The outcome of a test's own summary. */
export interface TestSummary {
  /** Null to show the default summary. */
  readonly stdout: string | null;
  readonly problems: readonly ReportNotWritten[];
}

/** Runs the test's `summary` and writes its files: all of them or none. Warns of each problem. */
export async function writeTestSummary(
  { summarize, inputs, warn }: OwnSummary,
  result: TestResult,
): Promise<TestSummary> {
  const outcome = await summarize(result);
  const { stdout, files } = "summary" in outcome ? outcome.summary : { stdout: null, files: {} };
  const causes = "problem" in outcome ? [outcome.problem] : await writeAll(files, inputs);
  const problems = causes.map((cause) => new ReportNotWritten("the test's summary", cause));
  for (const { message } of problems) warn(message);
  return { stdout, problems };
}

/** Writes all files or none. Returns a sentence for each problem; empty if all were written. */
async function writeAll(
  files: Readonly<Record<string, string>>,
  inputs: readonly string[],
): Promise<readonly unknown[]> {
  const misplaced = Object.keys(files).flatMap(
    (path) => whyOutsideFolder(path) ?? whyPathUnusable(path, inputs) ?? [],
  );
  if (misplaced.length > 0) return misplaced;
  try {
    await writeFiles(Object.entries(files).map(([path, content]) => ({ path, content })));
    return [];
  } catch (error) {
    return [error];
  }
}

function whyOutsideFolder(path: string): string | null {
  if (path === "") return "a file in files has no path. Give each file a path.";
  const inside = relative(realFolder(process.cwd()), realFolder(resolve(path)));
  const isOutside = inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside);
  return isOutside ? `${path} is outside the working directory. Use a path inside it.` : null;
}
