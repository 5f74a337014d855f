import type { TestResult } from "@bearhug/sdk";

import { chooseExitCode, exitCodes, type ExitCode } from "../exit-codes.ts";
import type { Ending } from "../reporters/multiplexer.ts";

/** Adds the outcome of its reports to a result: those that could not be written, as messages and exit code 111. */
export function addReports(
  result: TestResult,
  { problems }: Pick<Ending, "problems">,
): TestResult & { readonly exitCode: ExitCode } {
  const held: ExitCode[] = problems.length > 0 ? [exitCodes.reportNotWritten] : [];
  const ended = Object.values(exitCodes).find((code) => code === result.exitCode);
  return {
    ...result,
    exitCode: chooseExitCode(ended === undefined ? held : [...held, ended]),
    messages: [...result.messages, ...problems.map(({ message }) => message)],
  };
}
