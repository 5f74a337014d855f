import { exitCodes } from "@bearhug/metrics/results/exit-codes";
import { writePosition } from "@bearhug/metrics/results/source-position";
import { readRunOptions, type WrittenOptions } from "@bearhug/plan/test-file/run-options";
import { standardInput } from "@bearhug/plan/test-file/standard-input";
import { createStyle } from "@bearhug/report/terminal/style";
import { InvalidInput } from "@bearhug/sdk";
import { describeTerminal } from "@bearhug/text/terminal";
import { Command } from "commander";

import { addReader } from "../reading.ts";
import { switchOption } from "../options.ts";
import { checkTest, type CheckedTest } from "../../test-set/check-tests.ts";
import { checkTypes, type TypeCheck } from "../../test-set/check-types.ts";
import type { PlacedProblem } from "../../documents/documents.ts";
import { noTests, testNames } from "../../test-set/find-test-files.ts";
import { loadTimeoutMs } from "../../test-set/load-config.ts";
import { mapSome } from "../../test-set/map-some.ts";
import { describePlan, renderPlan } from "../../test-set/render-plan.ts";
import { printDocument } from "../print-document.ts";
import { applyConfig, configOption } from "../command-line/project-config.ts";
import { addPlanOptions, jsonOption } from "../load-options.ts";
import { chosenTests, describeProblem, describeWarning } from "./chosen-tests.ts";
import { warn } from "../warn.ts";

interface CheckFlags extends WrittenOptions {
  readonly noTypes: boolean;
  readonly strictEnv: boolean;
  readonly json: boolean;
}

export function createCommand(): Command {
  const types = switchOption("--no-types", "skip the type check");
  // Commander would treat a name that starts with `--no-` as the negation of another option.
  types.negate = false;
  const command = addPlanOptions(
    new Command("check")
      .description("check tests and show their plans; send nothing")
      .argument(
        "[files...]",
        `tests (- for standard input), folders or globs; omit for all files that end in ${testNames}`,
      ),
  )
    .addOption(types)
    .addOption(switchOption("--strict-env", "fail if a variable that a test needs is not set"))
    .addOption(configOption())
    .addOption(jsonOption())
    .action(check);
  return addReader(command, (_files, flags: CheckFlags, problems) => readRunOptions(flags, problems));
}

async function check(named: readonly string[], _flags: CheckFlags, command: Command): Promise<void> {
  const { tests = [] } = await applyConfig(command);
  const flags = command.opts<CheckFlags>();
  const { files, options } = await chosenTests(named.length > 0 ? named : tests, flags);
  if (files.length === 0) throw new InvalidInput([noTests]);
  const describing = { options, timeoutMs: loadTimeoutMs, warn, toleratesMissing: !flags.strictEnv };
  const [types, checked] = await Promise.all([
    flags.noTypes ? nothingChecked : checkTypes(files),
    mapSome(files, (file) => checkTest(file, describing)),
  ]);
  if (types.unchecked.length > 0)
    warn(
      "Types were not checked, because TypeScript is not installed here: npm install --save-dev typescript",
    );
  if (files.includes(standardInput) && !flags.noTypes)
    warn("Types of the test on standard input were not checked: only those of files are.");
  const found = [...checked.flatMap((one) => ("problems" in one ? one.problems : [])), ...types.problems];
  const problems = withoutConsequences(withoutRepeats(found));
  const warnings = checked.flatMap((one) => ("warnings" in one ? one.warnings : []));
  const exitCode = problems.length > 0 ? exitCodes.invalidInput : exitCodes.passed;
  if (flags.json) {
    await printDocument({
      schema: "bearhug/check@1",
      exitCode,
      tests: checked.flatMap((one) => ("planned" in one ? [describePlan(one.planned, one.position)] : [])),
      problems,
      warnings,
      untypedFiles: types.unchecked,
    });
  } else printPlans(checked);
  for (const warning of warnings) process.stderr.write(`${describeWarning(warning)}\n`);
  for (const problem of problems) process.stderr.write(`${describeProblem(problem)}\n`);
  if (exitCode !== exitCodes.passed) process.exitCode = exitCode;
  warn(verdict(files.length, problems));
}

function verdict(tests: number, problems: readonly PlacedProblem[]): string {
  const checked = `${tests} ${tests === 1 ? "test" : "tests"} checked`;
  if (problems.length === 0) return `${checked}: no problems.`;
  const places = new Set(problems.map(({ file }) => file)).size;
  return `${checked}: ${problems.length} ${problems.length === 1 ? "problem" : "problems"} in ${places} ${places === 1 ? "file" : "files"}.`;
}

const nothingChecked: TypeCheck = { problems: [], unchecked: [] };

function printPlans(checked: readonly CheckedTest[]): void {
  const style = createStyle(describeTerminal(process.stdout));
  const plans = checked.flatMap((one) =>
    "planned" in one ? [renderPlan(one.planned, one.position, style).join("\n")] : [],
  );
  if (plans.length > 0) process.stdout.write(`${plans.join("\n\n")}\n`);
  for (const one of checked) if ("planned" in one) for (const note of one.planned.notes) warn(note);
}

/**
 * Returns the problems in the order of the files. If TypeScript finds the same mistake, bearhug's own
 * sentence is kept, because it says how to fix it.
 */
function withoutRepeats(problems: readonly PlacedProblem[]): PlacedProblem[] {
  const byPlace = Map.groupBy(problems, writePosition);
  return [...byPlace.values()]
    .flatMap(dropRepeats)
    .toSorted((a, b) => a.file.localeCompare(b.file) || a.line - b.line || a.column - b.column);
}

function dropRepeats(problems: readonly PlacedProblem[]): PlacedProblem[] {
  return problems.filter(
    ({ code, message }, at) =>
      at === 0 ||
      (!isTypeErrorCode(code) && problems.findIndex((problem) => problem.message === message) === at),
  );
}

/**
 * Drops errors about the data of `setup` if their file has others: after any error in a test, TypeScript
 * infers nothing from `setup`, wherever it is.
 */
function withoutConsequences(problems: readonly PlacedProblem[]): PlacedProblem[] {
  const causes = problems.filter((problem) => !isAboutUnknownData(problem));
  const files = new Set(causes.map(({ file }) => file));
  return problems.filter((problem) => !isAboutUnknownData(problem) || !files.has(problem.file));
}

/** Sentences of TypeScript with the SDK's type of data that could not be inferred. */
const aboutUnknownData = /fix other errors first; then write setup|does not exist on type 'UnknownData'/;

function isAboutUnknownData({ code, message }: PlacedProblem): boolean {
  return isTypeErrorCode(code) && aboutUnknownData.test(message);
}

function isTypeErrorCode(code: string): boolean {
  return /^TS\d+$/.test(code);
}
