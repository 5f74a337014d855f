import { dirname, join } from "node:path";

import {
  describeSize,
  type CaptureModel,
  type Finding,
  type TestSource,
  type Variable,
} from "@bearhug/har-import";

import { printable } from "@bearhug/sdk/internal";
import type { PlannedValues } from "./import-values.ts";

const maxShownFiles = 4;
const maxShownVariables = 8;

/** An import that is done. */
export interface Done {
  readonly test: TestSource;
  /** The path of the written test; null if none was written. */
  readonly output: string | null;
  /** The `.env` that was written; null for none. */
  readonly values: PlannedValues | null;
  /** Everything that was written, the test included. */
  readonly written: readonly string[];
  /** True if --explain has printed the details. */
  readonly isExplained: boolean;
}

/** Tells in ten lines at most what an import made, and what to do next. */
export function renderImportSummary(done: Done): string {
  const { test, output, values, written, isExplained } = done;
  const { model } = test;
  const lines = [
    ...(isExplained ? [] : [tellSize(model)]),
    ...tellList("wrote ", written, maxShownFiles),
    ...(output === null ? tellUnwritten(test) : []),
    ...(values === null ? [] : tellValues(values)),
    ...(isExplained
      ? []
      : [...tellVariables(done), ...tellFindings(model.findings), ...tellNotes(model.notes)]),
    ...(output === null ? [] : tellNext(output, done)),
  ];
  return lines.map((line) => `${printable(line)}\n`).join("");
}

function tellSize(model: CaptureModel): string {
  return `${describeSize(model)}.${model.omissions.length > 0 ? " --explain tells what and why." : ""}`;
}

/** A line with the first of a list, and how many more there are; none of an empty list. */
function tellList(before: string, items: readonly string[], most: number): string[] {
  if (items.length === 0) return [];
  const more = items.length > most ? ` and ${items.length - most} more` : "";
  return [`${before}${items.slice(0, most).join(", ")}${more}`];
}

function tellUnwritten({ dataFiles }: TestSource): string[] {
  return tellList(
    "The test reads data files beside it, which -o writes: ",
    dataFiles.map(({ name }) => name),
    maxShownFiles,
  );
}

function tellValues({ path, unwritable }: PlannedValues): string[] {
  return [
    `${path} holds the recorded secrets: keep it to yourself.`,
    ...tellList(
      "Values that a .env file cannot hold; set them in the environment: ",
      unwritable,
      maxShownVariables,
    ),
  ];
}

function tellVariables({ test: { model }, output, values }: Done): string[] {
  if (values !== null) return [];
  const namesOf = (variables: readonly Variable[]): string[] => variables.map(({ name }) => name);
  const needed = namesOf(model.variables.filter(({ isOptional }) => !isOptional));
  const optional = namesOf(model.variables.filter(({ isOptional }) => isOptional));
  const where = output === null ? "with -o, .env.example lists them" : `see ${exampleOf(output)}`;
  return [
    ...tellList("Set these before running: ", needed, maxShownVariables),
    ...(optional.length === 0
      ? []
      : [
          `Optional: ${optional.length} ${optional.length === 1 ? "variable" : "variables"}, such as ${optional[0] ?? ""}; ${where}.`,
        ]),
  ];
}

/** Names the parts of the capture that could not be read. */
function tellFindings([first, ...others]: readonly Finding[]): string[] {
  if (first === undefined) return [];
  const more = others.length > 0 ? `, and ${others.length} more; --explain lists them` : "";
  return [`Not understood: ${first.path}: ${first.problem}${more}`];
}

function tellNotes([first, ...others]: readonly string[]): string[] {
  if (first === undefined) return [];
  return [first, ...(others.length > 0 ? [`${others.length} more notes: --explain lists them.`] : [])];
}

/** Commands that can be copied. */
function tellNext(output: string, { test: { model }, values }: Done): string[] {
  const run = `npx bearhug run ${forShell(output)}`;
  const file = forShell(join(dirname(output), ".env"));
  if (values !== null) return [`Next: ${run} --env-from ${file}`];
  if (model.variables.every(({ isOptional }) => isOptional)) return [`Next: ${run}`];
  return [
    "Next:",
    `  cp ${forShell(exampleOf(output))} ${file}  # and fill it in`,
    `  ${run} --env-from ${file}`,
  ];
}

function exampleOf(output: string): string {
  return join(dirname(output), ".env.example");
}

/** A path as a shell takes it for one word. */
function forShell(path: string): string {
  return /^[\w./+@%,:=~-]+$/.test(path) && !/^[-~]/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
