import type { LoadedTest } from "@bearhug/engine/run/load-test";
import { loadFlags, type RunOptions } from "@bearhug/plan/test-file/run-options";
import { InvalidInput } from "@bearhug/sdk";
import { Command, Option } from "commander";

import { switchOption } from "../options.ts";
import { findTestFiles, isPattern } from "../../test-set/find-test-files.ts";
import { readPattern } from "../../test-set/match-tests.ts";
import { reportNames, reportsOf } from "../../test-set/name-reports.ts";
import {
  addBaselineOptions,
  readBaselineOptions,
  type BaselineFlags,
  type ComparisonOptions,
} from "../report/comparison-options.ts";
import type { Judge } from "../report/judge-comparison.ts";
import { loadFile } from "./load-file.ts";
import {
  addLoadOptions,
  addPlanOptions,
  addShardOptions,
  flagOption,
  problemsOption,
  uiOption,
  samplesOption,
  readFlags,
  type LoadFlags,
} from "../load-options.ts";
import { applyConfig, configOption } from "../command-line/project-config.ts";
import { addReader } from "../reading.ts";
import { readPagesPerSecond, type PaceFlags } from "./pages-per-second.ts";
import { isCapture, runFileProblem } from "../command-line/test-file-problem.ts";

interface RunFlags extends LoadFlags, PaceFlags, BaselineFlags {
  readonly grep?: string;
  readonly together: boolean;
}

export function createCommand(): Command {
  const command = addPlanOptions(
    new Command("run")
      .description("run tests and enforce their thresholds")
      .argument(
        "[file...]",
        "tests (.ts, .js; - for standard input), folders, globs, or captures of a browser (.har)",
      ),
  )
    .addOption(
      new Option(
        "--grep <pattern>",
        "run only the tests whose file, name, scenarios or tags match",
      ).helpGroup("Which tests:"),
    )
    .addOption(switchOption("--together", "run several tests at the same time").helpGroup("Which tests:"))
    .addOption(configOption())
    .addOption(flagOption(loadFlags.overload))
    .addOption(
      new Option("--pages-per-second <n>", "page loads to start per second (.har only): 1.1").helpGroup(
        "Load:",
      ),
    );
  addBaselineOptions(addLoadOptions(addShardOptions(command), { out: "-o, --out <reporter=path>" }));
  command.addOption(samplesOption()).addOption(uiOption()).addOption(problemsOption()).action(run);
  return addReader(command, (given, flags: RunFlags, problems) => {
    const files = given.filter((one) => !isPattern(one));
    problems.push(...files.map(runFileProblem).filter((problem) => problem !== null));
    readGiven(files, flags, problems);
    readBaselineOptions(flags, command, problems);
  });
}

async function run(named: readonly string[], _flags: RunFlags, command: Command): Promise<void> {
  const problems: string[] = [];
  const { tests = [] } = await applyConfig(command);
  const flags = command.opts<RunFlags>();
  const given = named.length > 0 ? named : tests;
  if (given.length === 0) throw new InvalidInput(["<file> is missing. See bearhug run --help."]);
  const isSingleTest = given.length === 1 && !isPattern(given[0] ?? "") && flags.grep === undefined;
  const files = isSingleTest ? given : await findTestFiles(given, runFileProblem, problems);
  const { options, load, pattern } = readGiven(files, flags, problems);
  const comparison = readBaselineOptions(flags, command, problems);
  if (comparison !== null && !isSingleTest)
    problems.push("--baseline: works with a single test. Name one file.");
  if (isSingleTest) problems.push(...files.map(runFileProblem).filter((problem) => problem !== null));
  if (problems.length > 0) throw new InvalidInput(problems);
  const [file] = files;
  if (isSingleTest && file !== undefined) {
    const { runAndReport } = await import("./run-and-report.ts");
    const name = reportNames(files).get(file) ?? file;
    const judge = comparison && (await judgeAgainstFiles(flags.baseline, comparison, options));
    const own = { ...flags, out: reportsOf(flags.out, name) };
    await runAndReport({ file, load: load(file), options, flags: own, judge });
    return;
  }
  const { runSeveral } = await import("./run-several.ts");
  await runSeveral({ files, options, flags, pattern, isTogether: flags.together, load });
}

/** Loads the comparison only on demand: reading results takes as long as the rest of a small run's start. */
async function judgeAgainstFiles(
  baseline: readonly string[],
  comparison: ComparisonOptions,
  options: RunOptions,
): Promise<Judge> {
  const { judgeAgainst, readRuns } = await import("../report/judge-comparison.ts");
  const allowsSaturated = options.judging?.allowsSaturated === true;
  return judgeAgainst(await readRuns(baseline), comparison, { allowsSaturated });
}

interface Given {
  readonly options: RunOptions;
  /** Null: all tests. */
  readonly pattern: RegExp | null;
  readonly load: (file: string) => (warn: (text: string) => void) => Promise<LoadedTest>;
}

function readGiven(files: readonly string[], flags: RunFlags, problems: string[]): Given {
  const [file] = files;
  const hasOwnMetrics = files.length === 0 || files.some((one) => !isCapture(one));
  const options = readFlags(flags, { file, hasOwnMetrics, inputs: files.slice(1) }, problems);
  const rates = new Map(files.map((one) => [one, readPagesPerSecond(flags, one, problems)]));
  const pattern = flags.grep === undefined ? null : readPattern(flags.grep, problems);
  if (flags.together && options.workers === 0)
    problems.push("--together: cannot be combined with --workers 0, which runs tests in one thread.");
  if (flags.ui === true && files.length > 1)
    problems.push("--ui: works with a single test. Name one file, or leave --ui out.");
  const { shard, startAtMs } = options.sharding;
  if (shard !== null && files.length > 1) problems.push("--shard: works with a single test. Name one file.");
  if (startAtMs !== null && files.length > 1)
    problems.push("--start-at: works with a single test. Name one file.");
  const load: Given["load"] = (one) => (warn) => loadFile(one, options, warn, rates.get(one));
  return { options, pattern, load };
}
