import { dirname, join } from "node:path";

import {
  describeSize,
  type CaptureModel,
  type Finding,
  type TestSource,
  type Variable,
} from "@bearhug/har-import";

import { printable } from "../format/printable.ts";

const maxShownFindings = 5;

/** What a person should know after an import, paragraph by paragraph; the source and the explanation are elsewhere. */
export function renderImportSummary({
  model,
  test,
  output,
  written,
}: {
  readonly model: CaptureModel;
  readonly test: TestSource;
  /** Where the test was written; null where it was not. */
  readonly output: string | null;
  readonly written: readonly string[];
}): string {
  const paragraphs = [
    [`${describeSize(model)}.${model.omissions.length > 0 ? " --explain tells what and why." : ""}`],
    written.map((path) => `wrote ${path}`),
    ...(output === null ? tellUnwritten(test) : []),
    tellVariables(model.variables, output),
    tellFindings(model.findings),
    [...model.notes],
    output === null ? [] : [`Next: npx bearhug run ${forShell(output)}${envOption(model.variables, output)}`],
  ];
  return paragraphs
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.map((line) => `${printable(line)}\n`).join(""))
    .join("\n");
}

function tellUnwritten({ dataFiles }: TestSource): string[][] {
  if (dataFiles.length === 0) return [];
  const names = dataFiles.map(({ name }) => name).join(", ");
  return [[`The test reads ${names} beside it: with -o they are written.`]];
}

function tellVariables(variables: readonly Variable[], output: string | null): string[] {
  if (variables.length === 0) return [];
  const exports = variables.map(({ name }) => `  export ${name}=…`);
  const width = Math.max(...exports.map(({ length }) => length));
  const lines = variables.map(
    ({ description }, index) => `${(exports[index] ?? "").padEnd(width)}  # ${description}`,
  );
  const copy =
    output === null
      ? []
      : [
          `or fill in a copy: cp ${forShell(beside(output, ".env.example"))} ${forShell(beside(output, ".env"))}`,
        ];
  return ["To set before it runs:", ...lines, ...copy];
}

/** What of the capture could not be read: a few lines, then how many more. */
function tellFindings(findings: readonly Finding[]): string[] {
  if (findings.length === 0) return [];
  const shown = findings.slice(0, maxShownFindings).map(({ path, problem }) => `  ${path}: ${problem}`);
  const more = findings.length - shown.length;
  return ["Not understood:", ...shown, ...(more > 0 ? [`  and ${more} more`] : [])];
}

function envOption(variables: readonly Variable[], output: string): string {
  return variables.length === 0 ? "" : ` --env-file ${forShell(beside(output, ".env"))}`;
}

function beside(output: string, name: string): string {
  return join(dirname(output), name);
}

/** A path as a shell takes it for one word. */
function forShell(path: string): string {
  return /^[\w./+@%,:=~-]+$/.test(path) && !/^[-~]/.test(path)
    ? path
    : `'${path.replaceAll("'", "'\\\\''")}'`;
}
