import { Command, Option } from "commander";

import { InvalidInput } from "../invalid-input.ts";
import { loadModule } from "../run/load-test.ts";
import { loadCapture } from "./load-capture.ts";
import {
  addLoadOptions,
  arrivalsOption,
  collect,
  overloadOption,
  problemsOption,
  readFlags,
  uiOption,
  samplesOption,
  type LoadFlags,
} from "./load-options.ts";
import { readPagesPerSecond, type PaceFlags } from "./pages-per-second.ts";
import { isCapture, runFileProblem } from "./test-file-problem.ts";

type RunFlags = LoadFlags & PaceFlags;

export function createCommand(): Command {
  const command = new Command("run")
    .description("run a test and enforce its thresholds")
    .argument("<file>", "a test (.ts, .js) or a browser recording (.har)")
    .addOption(new Option("--target <url>", "load this site instead of the test's baseUrl"))
    .addOption(new Option("--vus <n>", "virtual users"))
    .addOption(new Option("--duration <time>", "duration of the load: 30s, 5m"))
    .addOption(new Option("--iterations <n>", "total iterations, shared by the VUs"))
    .addOption(
      new Option("--rate <rate>", "iterations to start, however slow the target is: 500, 500/s, 30k/m"),
    )
    .addOption(arrivalsOption())
    .addOption(overloadOption())
    .addOption(uiOption())
    .addOption(problemsOption())
    .addOption(samplesOption())
    .addOption(new Option("--pages-per-second <n>", "page loads to start per second (.har only): 1.1"))
    .addOption(
      new Option("--scenario <names>", "run only these scenarios: browse,buy")
        .argParser(collect)
        .default([], "all"),
    )
    .addOption(
      new Option("--env <name=value>", "set a variable that the test declares")
        .argParser(collect)
        .default([]),
    )
    .addOption(new Option("--env-file <path>", "read variables from a .env file"));
  return addLoadOptions(command).action(run);
}

export function findProblems([file]: readonly string[], command: Command): string[] {
  const flags = command.opts<RunFlags>();
  const problem = file === undefined ? null : runFileProblem(file);
  const problems = problem === null ? [] : [problem];
  readFlags(flags, { file, hasOwnMetrics: !isCapture(file ?? "") }, problems);
  if (file !== undefined) readPagesPerSecond(flags, file, problems);
  return problems;
}

async function run(file: string, flags: RunFlags): Promise<void> {
  const problems: string[] = [];
  const options = readFlags(flags, { file, hasOwnMetrics: !isCapture(file) }, problems);
  const pagesPerSecond = readPagesPerSecond(flags, file, problems);
  const problem = runFileProblem(file);
  if (problem !== null) problems.push(problem);
  if (problems.length > 0) throw new InvalidInput(problems);
  const load = isCapture(file)
    ? (warn: (text: string) => void) =>
        loadCapture(file, { env: { ...options.envFile, ...options.env }, pagesPerSecond, warn })
    : () => loadModule(file);
  const { runAndReport } = await import("./run-and-report.ts");
  await runAndReport(load, options, flags, file);
}
