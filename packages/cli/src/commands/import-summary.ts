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
const maxShownVariables = 10;

/** An import that is done. */
export interface Done {
  readonly model: CaptureModel;
  readonly test: TestSource;
  /** Where the test was written; null where it was not. */
  readonly output: string | null;
  /** Everything that was written, the test included. */
  readonly written: readonly string[];
  /** Whether what was understood is told elsewhere. */
  readonly isExplained: boolean;
}

/** What a person should know after an import, paragraph by paragraph. */
export function renderImportSummary({ model, test, output, written, isExplained }: Done): string {
  const paragraphs = [
    ...(isExplained ? [] : [tellSize(model)]),
    written.map((path) => `wrote ${path}`),
    ...(output === null ? tellUnwritten(test) : []),
    ...(isExplained
      ? []
      : [tellVariables(model.variables, output), tellFindings(model.findings), [...model.notes]]),
    output === null ? [] : tellNext(output, model.variables.length > 0),
  ];
  return paragraphs
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.map((line) => `${printable(line)}\n`).join(""))
    .join("\n");
}

function tellSize(model: CaptureModel): string[] {
  return [`${describeSize(model)}.${model.omissions.length > 0 ? " --explain tells what and why." : ""}`];
}

function tellUnwritten({ dataFiles }: TestSource): string[][] {
  if (dataFiles.length === 0) return [];
  const names = dataFiles.map(({ name }) => name).join(", ");
  return [[`The test reads ${names} beside it: with -o they are written.`]];
}

function tellVariables(variables: readonly Variable[], output: string | null): string[] {
  if (variables.length === 0) return [];
  const shown = variables.slice(0, maxShownVariables);
  const more = variables.length - shown.length;
  const exports = shown.map(({ name }) => `  export ${name}=…`);
  const width = exports.reduce((most, { length }) => Math.max(most, length), 0);
  return [
    "To set before it runs:",
    ...shown.map(({ description }, index) => `${(exports[index] ?? "").padEnd(width)}  # ${description}`),
    ...(more > 0 ? [`  and ${more} more: ${whereVariablesAre(output)}`] : []),
  ];
}

function whereVariablesAre(output: string | null): string {
  return output === null
    ? "with -o they are written to .env.example"
    : `see ${join(dirname(output), ".env.example")}`;
}

/** What of the capture could not be read: a few lines, then how many more. */
function tellFindings(findings: readonly Finding[]): string[] {
  if (findings.length === 0) return [];
  const shown = findings.slice(0, maxShownFindings).map(({ path, problem }) => `  ${path}: ${problem}`);
  const more = findings.length - shown.length;
  return ["Not understood:", ...shown, ...(more > 0 ? [`  and ${more} more`] : [])];
}

/** Commands that can be copied. */
function tellNext(output: string, needsVariables: boolean): string[] {
  const run = `npx bearhug run ${forShell(output)}`;
  if (!needsVariables) return [`Next: ${run}`];
  const file = forShell(join(dirname(output), ".env"));
  const example = forShell(join(dirname(output), ".env.example"));
  return ["Next:", `  cp ${example} ${file}  # and fill it in`, `  ${run} --env-file ${file}`];
}

/** A path as a shell takes it for one word. */
function forShell(path: string): string {
  return /^[\w./+@%,:=~-]+$/.test(path) && !/^[-~]/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
