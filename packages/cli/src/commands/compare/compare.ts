import { exitCodes, chooseExitCode, type ExitCode } from "@bearhug/metrics/results/exit-codes";
import {
  comparisonReports,
  openComparisonOutputs,
  type ComparisonOutput,
} from "@bearhug/report/comparison/outputs";
import { renderComparison } from "@bearhug/report/comparison/render-terminal";
import { writesToStdout, ReportNotWritten } from "@bearhug/report/write-report";
import type { ComparisonResult } from "@bearhug/sdk/result";
import { describeTerminal } from "@bearhug/text/terminal";
import { Command } from "commander";

import { addAction } from "../reading.ts";
import { repeatableOption } from "../options.ts";
import {
  addComparisonOptions,
  readComparison,
  type ComparisonFlags,
  type ComparisonOptions,
} from "../report/comparison-options.ts";
import { compareRuns, readRuns, whyNotCompared } from "../report/judge-comparison.ts";
import { jsonOutOption } from "../load-options.ts";
import { printDocument, printText } from "../print-document.ts";
import { Incomparable } from "../problem-places.ts";
import { reportComparisonToGithub } from "../report/report-to-github.ts";
import { printMessage } from "../warn.ts";

interface CompareFlags extends ComparisonFlags {
  readonly new: readonly string[];
  readonly out: readonly string[];
}

export function createCommand(): Command {
  const command = new Command("compare")
    .description("say if a run got worse than an earlier one, with an exit code")
    .argument(
      "<results...>",
      "results (result.json; - for standard input) of the base, then that of the new run",
    )
    .addOption(
      repeatableOption("--new <result>", "a result of the new version; instead of the last file").helpGroup(
        "Target and variables:",
      ),
    );
  addComparisonOptions(command)
    .addOption(
      repeatableOption("--out <report=path>", `also write the comparison: ${comparisonReports}`).helpGroup(
        "Output:",
      ),
    )
    .addOption(jsonOutOption("print the comparison as JSON on stdout: the same as --out json=-"));
  return addAction(command, readRequest, compare);
}

/** A requested comparison. */
interface CompareRequest extends ComparisonOptions {
  readonly base: readonly string[];
  readonly new: readonly string[];
  readonly outputs: readonly ComparisonOutput[];
}

function readRequest(results: readonly string[], flags: CompareFlags, problems: string[]): CompareRequest {
  const base = flags.new.length > 0 ? results : results.slice(0, -1);
  const other = flags.new.length > 0 ? flags.new : results.slice(-1);
  if (base.length === 0) problems.push("compare needs two results: bearhug compare base.json new.json.");
  const twice = [...base, ...other].filter((file, at, all) => all.indexOf(file) !== at);
  problems.push(...new Set(twice.map((file) => `${file} is given twice. Name each result once.`)));
  const outputs = openComparisonOutputs(flags.out, [...base, ...other], problems);
  return { base, new: other, outputs, ...readComparison(flags, problems) };
}

async function warnNotCompared(
  problems: readonly string[],
  outs: readonly string[],
  outputs: readonly ComparisonOutput[],
): Promise<void> {
  for (const problem of problems) printMessage(`not compared: ${problem}`);
  for (const { path } of outputs)
    if (path !== "-") printMessage(`${path} was not written: the runs were not compared.`);
  if (!outs.includes("json=-")) return;
  const found = problems.map((message) => ({ code: "INCOMPARABLE", message }));
  await printDocument({ schema: "bearhug/problems@1", exitCode: exitCodes.passed, problems: found });
}

async function compare(request: CompareRequest, flags: CompareFlags): Promise<void> {
  const runs = await readRuns([...request.base, ...request.new]);
  const [base, other] = [runs.slice(0, request.base.length), runs.slice(request.base.length)];
  const { refusals, mayPass } = whyNotCompared(runs, request);
  if (refusals.length > 0) {
    if (!mayPass) throw new Incomparable(refusals);
    await warnNotCompared(refusals, flags.out, request.outputs);
    return;
  }
  const comparison = compareRuns(base, other, request);
  process.exitCode = await reportComparison(comparison, request.outputs);
}

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
      printMessage(error.message);
      codes.push(exitCodes.reportNotWritten);
    }
  const stream = writesToStdout(outputs.map(({ path }) => `=${path}`)) ? process.stderr : process.stdout;
  const appearance = describeTerminal(stream);
  const exitCode = chooseExitCode(codes);
  await printText(stream, renderComparison({ ...comparison, exitCode }, appearance));
  await reportComparisonToGithub(comparison);
  return exitCode;
}
