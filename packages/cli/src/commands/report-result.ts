import type { TestResult } from "@bearhug/sdk";

import type { ExitCode } from "../exit-codes.ts";
import { addUnwritten, type Multiplexer } from "../reporters/multiplexer.ts";
import type { Reporter } from "../reporters/reporter.ts";
import { decideExit } from "../worker/exit-guard.ts";
import { type OwnSummary, writeTestSummary } from "./test-summary.ts";

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

/**
 * Tells a result, and sets the exit code. Files first: what could not be written belongs into the summary.
 * @param own null to show the default summary
 */
export async function reportResult(
  files: Multiplexer,
  summary: Multiplexer,
  result: TestResult,
  own: OwnSummary | null = null,
): Promise<Told> {
  const ending = await files.onEnd(result);
  const reported = addUnwritten(result, ending.problems);
  const made = own === null ? null : await writeTestSummary(own, reported);
  const { stdout, problems } = made ?? { stdout: null, problems: [] };
  const told = addUnwritten(reported, problems);
  const shown = own === null || stdout === null ? summary : own.ownSummary(stdout);
  const { problems: untold } = await shown.onEnd(told);
  const { exitCode } = addUnwritten(told, untold);
  decideExit(exitCode);
  return {
    exitCode,
    messages: told.messages,
    isComplete: [...ending.problems, ...problems, ...untold].length === 0,
    written: ending.written,
  };
}
