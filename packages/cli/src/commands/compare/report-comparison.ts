import { chooseExitCode, exitCodes, type ExitCode } from "@bearhug/metrics/results/exit-codes";
import type { ComparisonOutput } from "@bearhug/report/comparison/outputs";
import { renderComparison } from "@bearhug/report/comparison/render-terminal";
import { writesToStdout, ReportNotWritten } from "@bearhug/report/write-report";
import type { ComparisonResult } from "@bearhug/sdk/result";
import { printable } from "@bearhug/text/printable";
import { describeTerminal } from "@bearhug/text/terminal";

import { printText } from "../print-document.ts";
import { reportComparisonToGithub } from "../report/report-to-github.ts";

/** Writes a comparison to its files and to stdout. Returns the exit code. */
export async function reportComparison(
  comparison: ComparisonResult,
  outputs: readonly ComparisonOutput[],
): Promise<ExitCode> {
  const codes: ExitCode[] = comparison.exitCode === 0 ? [] : [exitCodes.thresholdsFailed];
  for (const { write } of outputs)
    try {
      await write(comparison);
    } catch (error) {
      if (!(error instanceof ReportNotWritten)) throw error;
      process.stderr.write(`bearhug: ${printable(error.message)}\n`);
      codes.push(exitCodes.reportNotWritten);
    }
  const stream = writesToStdout(outputs.map(({ path }) => `=${path}`)) ? process.stderr : process.stdout;
  const appearance = describeTerminal(stream, process.env);
  const exitCode = chooseExitCode(codes);
  await printText(stream, renderComparison({ ...comparison, exitCode }, appearance));
  const print = (line: string): void => void process.stderr.write(`${line}\n`);
  const warn = (text: string): void => print(`bearhug: ${printable(text)}`);
  await reportComparisonToGithub(comparison, { print, warn });
  return exitCode;
}
