import { exitCodes } from "@bearhug/metrics/results/exit-codes";
import { writePosition } from "@bearhug/metrics/results/source-position";
import { readRunOptions } from "@bearhug/plan/test-file/run-options";
import { createStyle, type Style } from "@bearhug/report/terminal/style";
import { describeTerminal } from "@bearhug/text/terminal";
import { Command } from "commander";

import { addReader } from "../reading.ts";
import { noTests, testNames } from "../../test-set/find-test-files.ts";
import { printDocument } from "../print-document.ts";
import type { ListDocument, ListedTest } from "../../documents/documents.ts";
import { listTests } from "../../test-set/list-tests.ts";
import { loadTimeoutMs } from "../../test-set/load-config.ts";
import { applyConfig, configOption } from "../command-line/project-config.ts";
import { chosenTests, describeProblem } from "./chosen-tests.ts";
import { envFromOption, envOption, jsonOption } from "../load-options.ts";
import { warn } from "../warn.ts";

interface ListFlags {
  readonly json: boolean;
  readonly env: readonly string[];
  readonly envFile?: string;
}

export function createCommand(): Command {
  const command = new Command("list")
    .description("list tests, their scenarios and thresholds; send nothing")
    .argument("[files...]", `tests, folders or globs; omit for all files that end in ${testNames}`)
    .addOption(jsonOption())
    .addOption(envOption("set a variable that a test declares"))
    .addOption(envFromOption())
    .addOption(configOption())
    .action(list);
  return addReader(command, (_files, flags: ListFlags, problems) => readRunOptions(flags, problems));
}

async function list(named: readonly string[], _flags: ListFlags, command: Command): Promise<void> {
  const { tests = [] } = await applyConfig(command);
  const flags = command.opts<ListFlags>();
  const { files, options } = await chosenTests(named.length > 0 ? named : tests, flags);
  if (files.length === 0) warn(noTests);
  const found = await listTests(files, { options, timeoutMs: loadTimeoutMs, warn });
  if (flags.json) await printDocument({ schema: "bearhug/list@1", ...found });
  else print(found);
  if (found.problems.length > 0) process.exitCode = exitCodes.invalidInput;
}

function print({ tests, problems }: Pick<ListDocument, "tests" | "problems">): void {
  const style = createStyle(describeTerminal(process.stdout));
  const blocks = tests.map((test) => renderTest(test, style).join("\n"));
  if (blocks.length > 0) process.stdout.write(`${blocks.join("\n\n")}\n`);
  for (const problem of problems) process.stderr.write(`${describeProblem(problem)}\n`);
}

function renderTest(test: ListedTest, style: Style): string[] {
  const { name, scenarios, thresholds } = test;
  return [
    style.heading(style.text(name), style.text(writePosition(test))),
    ...style.table(
      [{ title: "" }, { title: "" }],
      [
        ...scenarios.map((scenario) => [scenario.name, scenario.executor]),
        ...thresholds.map(({ metric, expression }) => [style.text(metric), style.text(expression)]),
      ],
    ),
  ];
}
