import type { TestResult } from "@bearhug/sdk";

import { chooseExitCode, exitCodes, type ExitCode } from "../exit-codes.ts";
import type { Ending } from "../reporters/multiplexer.ts";

/** Adds the outcome of its reports to a result: those that could not be written, as messages and exit code 111. */
export function addReports(
  result: TestResult,
  { problems }: Pick<Ending, "problems">,
): TestResult & { readonly exitCode: ExitCode } {
  const unwritten = problems.length > 0 ? [exitCodes.reportNotWritten] : [];
  return {
    ...result,
    exitCode: chooseExitCode([result.exitCode, ...unwritten]),
    messages: [...result.messages, ...problems.map(({ message }) => message)],
  };
}
