import { Command, Option } from "commander";

import { printable } from "@bearhug/sdk/internal";

import { exitCodes } from "../exit-codes.ts";
import { describeTerminal } from "../format/terminal.ts";
import { InvalidInput } from "../invalid-input.ts";
import { createStyle, type Style } from "../reporters/terminal/style.ts";
import type { PlacedProblem } from "../test-set/describe-file.ts";
import { findAllTests, findTestFiles, testPattern } from "../test-set/find-test-files.ts";
import { listTests, type ListedTest, type TestList } from "../test-set/list-tests.ts";
import { readRunOptions } from "../test-file/run-options.ts";
import { collect } from "./load-options.ts";
import { isCapture, runFileProblem } from "./test-file-problem.ts";

interface ListFlags {
  readonly json: boolean;
  readonly env: readonly string[];
  readonly envFile?: string;
}

export function createCommand(): Command {
  return new Command("list")
    .description("list tests, their scenarios and thresholds; send nothing")
    .argument("[files...]", `tests, folders or globs; omit for ${testPattern}`)
    .addOption(new Option("--json", "print JSON, with the place of everything").default(false))
    .addOption(
      new Option("--env <name=value>", "set a variable that a test declares").argParser(collect).default([]),
    )
    .addOption(new Option("--env-file <path>", "read variables from a .env file"))
    .action(list);
}

export function findProblems(_files: readonly string[], command: Command): string[] {
  const problems: string[] = [];
  readRunOptions(command.opts<ListFlags>(), problems);
  return problems;
}

/** A module that loads for longer is given up. */
const loadTimeoutMs = 20_000;

async function list(patterns: readonly string[], flags: ListFlags): Promise<void> {
  const problems: string[] = [];
  const options = readRunOptions(flags, problems);
  const files =
    patterns.length === 0 ? await findAllTests() : await findTestFiles(patterns, listFileProblem, problems);
  if (problems.length > 0) throw new InvalidInput(problems);
  const warn = (text: string): void => {
    process.stderr.write(`${printable(text)}\n`);
  };
  if (files.length === 0 && !flags.json) warn(`No tests here: no file is called ${testPattern}.`);
  const found = await listTests(files, { options, timeoutMs: loadTimeoutMs, warn });
  if (flags.json) process.stdout.write(`${JSON.stringify(found, null, 2)}\n`);
  else print(found);
  if (found.problems.length > 0) process.exitCode = exitCodes.invalidInput;
}

function listFileProblem(path: string): string | null {
  return isCapture(path)
    ? `${path} is a recording, not a test. Make a test of it: bearhug import ${path}.`
    : runFileProblem(path);
}

function print({ tests, problems }: TestList): void {
  const style = createStyle(describeTerminal(process.stdout, process.env));
  const blocks = tests.map((test) => renderTest(test, style).join("\n"));
  if (blocks.length > 0) process.stdout.write(`${blocks.join("\n\n")}\n`);
  for (const problem of problems) process.stderr.write(`${describeProblem(problem)}\n`);
}

function renderTest({ file, line, column, name, scenarios, thresholds }: ListedTest, style: Style): string[] {
  return [
    style.heading(style.text(name), style.text(`${file}:${line}:${column}`)),
    ...style.table(
      [{ title: "" }, { title: "" }],
      [
        ...scenarios.map((scenario) => [scenario.name, scenario.executor]),
        ...thresholds.map(({ metric, expression }) => [style.text(metric), style.text(expression)]),
      ],
    ),
  ];
}

/** As compilers write it, so that editors find the place. */
export function describeProblem({ file, line, column, message }: PlacedProblem): string {
  return printable(`${file}:${line}:${column}: error: ${message}`);
}
