import { Command, Option } from "commander";

import { InvalidInput } from "../invalid-input.ts";
import { loadModule } from "../run/load-test.ts";
import { loadCapture } from "./load-capture.ts";
import {
  addLoadOptions,
  addPlanOptions,
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
  const command = addPlanOptions(
    new Command("run")
      .description("run a test and enforce its thresholds")
      .argument("<file>", "a test (.ts, .js) or a browser recording (.har)"),
  )
    .addOption(overloadOption())
    .addOption(uiOption())
    .addOption(problemsOption())
    .addOption(samplesOption())
    .addOption(new Option("--pages-per-second <n>", "page loads to start per second (.har only): 1.1"));
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
