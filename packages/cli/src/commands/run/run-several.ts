import { availableParallelism } from "node:os";

import type { LoadedTest } from "@bearhug/engine/run/load-test";
import { chooseExitCode, exitCodes } from "@bearhug/metrics/results/exit-codes";
import { limitProblemsOfSeveral } from "@bearhug/plan/test-file/limits";
import type { RunOptions } from "@bearhug/plan/test-file/run-options";
import { writesFile } from "@bearhug/report/index";
import { createStyle } from "@bearhug/report/terminal/style";
import { InvalidInput } from "@bearhug/sdk";
import { printable } from "@bearhug/text/printable";
import { describeTerminal } from "@bearhug/text/terminal";

import { checkTest } from "../../test-set/check-tests.ts";
import { loadTimeoutMs } from "../../test-set/load-config.ts";
import { mapSome } from "../../test-set/map-some.ts";
import { isMatch } from "../../test-set/match-tests.ts";
import { reportNames, reportsOf, sharedReportProblems } from "../../test-set/name-reports.ts";
import { renderOutcomes, type TestOutcome } from "../../test-set/render-outcomes.ts";
import { setExitCode } from "../leave.ts";
import { printText } from "../print-document.ts";
import { InvalidTests } from "../problem-places.ts";
import { listenForSignals } from "../stop-signals.ts";
import type { LoadFlags } from "../load-options.ts";
import { runAndReport, type RunEnd } from "./run-and-report.ts";
import { reportTestsToGithub } from "../report/report-to-github.ts";
import { isCapture } from "../command-line/test-file-problem.ts";
import { warn } from "../warn.ts";

export interface SeveralTests {
  readonly files: readonly string[];
  readonly options: RunOptions;
  readonly flags: LoadFlags;
  /** Null: all tests. */
  readonly pattern: RegExp | null;
  /** True to run all at the same time; false to run one after another. */
  readonly isTogether: boolean;
  readonly load: (file: string) => (warn: (text: string) => void) => Promise<LoadedTest>;
}

/** Runs tests, once all of them are valid, and reports the overall outcome. */
export async function runSeveral(given: SeveralTests): Promise<void> {
  const files = await chooseFiles(given);
  const { flags, isTogether } = given;
  const problems = sharedReportProblems(flags.out, files.length, writesFile);
  if (problems.length > 0) throw new InvalidInput(problems);
  const outcomes = isTogether ? await runTogether(files, given) : await runInTurn(files, given);
  if (outcomes.length > 1) {
    const style = createStyle(describeTerminal(process.stdout));
    await printText(process.stdout, `\n${renderOutcomes(outcomes, style).join("\n")}\n`);
  }
  const exitCode = chooseExitCode(outcomes.map((outcome) => outcome.exitCode));
  if (outcomes.length > 1) await reportTestsToGithub(outcomes, exitCode);
  setExitCode(exitCode);
}

/**
 * Returns the files that `--grep` selects. @throws {InvalidInput} with the problems of all tests, before any
 * of them runs
 */
async function chooseFiles({ files, options, pattern, isTogether }: SeveralTests): Promise<string[]> {
  // Output is dropped here: the module is loaded again for its run, and then prints the same.
  const describing = { options, timeoutMs: loadTimeoutMs, warn: () => undefined };
  const checked = await mapSome(files, async (file) => ({
    file,
    // A capture has no source that could be wrong.
    test: isCapture(file) ? null : await checkTest(file, describing),
  }));
  const chosen = checked.filter(
    ({ file, test }) =>
      pattern === null ||
      (test === null ? pattern.test(file) : test.test === null || isMatch(pattern, file, test.test)),
  );
  const problems = chosen.flatMap(({ test }) => (test !== null && "problems" in test ? test.problems : []));
  if (problems.length > 0) throw new InvalidTests(problems);
  if (chosen.length === 0)
    throw new InvalidInput([
      `--grep ${pattern?.source ?? ""}: none of ${files.length} tests has this in its file, name, scenarios or tags.`,
    ]);
  const planned = chosen.flatMap(({ test }) =>
    test !== null && "planned" in test ? [test.planned.plan.scenarios.map(({ scenario }) => scenario)] : [],
  );
  const exceeded = limitProblemsOfSeveral(options.limits, planned, isTogether);
  if (exceeded.length > 0) throw new InvalidInput(exceeded);
  return chosen.map(({ file }) => file);
}

async function runInTurn(
  files: readonly string[],
  { options, flags, load }: SeveralTests,
): Promise<TestOutcome[]> {
  const names = reportNames(files);
  const outcomes: TestOutcome[] = [];
  let isInterrupted = false;
  for (const [index, file] of files.entries()) {
    if (isInterrupted) {
      outcomes.push({ file, exitCode: exitCodes.interrupted, result: null });
      continue;
    }
    const lead = index === 0 ? "" : "\n";
    process.stderr.write(`${lead}${printable(file)}: test ${index + 1} of ${files.length}\n`);
    const own = flagsOfTest(flags, names.get(file) ?? file);
    const ended = await runAndReport({ file, load: load(file), options, flags: own });
    isInterrupted = ended.isInterrupted;
    outcomes.push(outcomeOf(file, ended));
  }
  return outcomes;
}

/**
 * Runs tests at the same time. Live views would overwrite each other, so there are none. The tests' workers
 * share the cores.
 */
async function runTogether(
  files: readonly string[],
  { options, flags, load }: SeveralTests,
): Promise<TestOutcome[]> {
  const names = reportNames(files);
  const share = Math.max(1, Math.floor((availableParallelism() - 1) / files.length));
  const shared = { ...options, workers: options.workers ?? share };
  const signals = listenForSignals(warn, true);
  process.stderr.write(`${files.length} tests run together: their summaries follow when they end\n`);
  try {
    return await Promise.all(
      files.map(async (file) => {
        const own = { ...flagsOfTest(flags, names.get(file) ?? file), quiet: true };
        const ended = await runAndReport({ file, load: load(file), options: shared, flags: own, signals });
        return outcomeOf(file, ended);
      }),
    );
  } finally {
    signals.stopListening();
  }
}

function outcomeOf(file: string, { result }: RunEnd): TestOutcome {
  return { file, exitCode: result.exitCode, result };
}

function flagsOfTest(flags: LoadFlags, name: string): LoadFlags {
  return { ...flags, out: reportsOf(flags.out, name) };
}
