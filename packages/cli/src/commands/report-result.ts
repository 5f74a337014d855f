import type { TestResult } from "@bearhug/sdk";

import { chooseExitCode, exitCodes, type ExitCode } from "../exit-codes.ts";
import type { Multiplexer } from "../reporters/multiplexer.ts";
import { addReports } from "../run/add-reports.ts";
import type { Reporter } from "../reporters/reporter.ts";

/** The outcome of reporting a result. */
export interface Told {
  /** The run's own, and that of what could not be written. */
  readonly exitCode: ExitCode;
  /** The run's own reasons, and those of what could not be written. */
  readonly messages: readonly string[];
  /** True if every report was written. */
  readonly isComplete: boolean;
  /** Reports that are there, besides the summary. */
  readonly written: readonly Reporter[];
}

/** Files first: what could not be written belongs into the summary. */
export async function reportResult(
  files: Multiplexer,
  terminal: Multiplexer,
  result: TestResult,
): Promise<Told> {
  const ending = await files.onEnd(result);
  const told = addReports(result, ending);
  const { exitCode, messages } = told;
  const { problems: untold } = await terminal.onEnd(told);
  return {
    exitCode: untold.length > 0 ? chooseExitCode([exitCode, exitCodes.reportNotWritten]) : exitCode,
    messages,
    isComplete: ending.problems.length === 0 && untold.length === 0,
    written: ending.written,
  };
}
