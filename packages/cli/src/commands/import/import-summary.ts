import { listSome } from "@bearhug/text/list-some";
import { dirname, join } from "node:path";

import {
  describeSize,
  type CaptureModel,
  type Finding,
  type TestSource,
  type Variable,
  groupOmissions,
} from "@bearhug/har-import";
import { sumBy } from "@bearhug/metrics/sum";
import { printableLines } from "@bearhug/text/as-lines";

import type { ImportDocument } from "../../documents/documents.ts";
import type { PlannedValues } from "./import-values.ts";

const maxShownFiles = 4;
const maxShownVariables = 8;

export interface FinishedImport {
  readonly test: TestSource;
  /** The path of the written test; null if none was written. */
  readonly output: string | null;
  /** The `.env` that was written; null if none was. */
  readonly values: PlannedValues | null;
  /** The paths of all written files, including the test. */
  readonly written: readonly string[];
  /** True if --explain has printed the details. */
  readonly isExplained: boolean;
}

/** Summarizes in at most ten lines what an import made and what to do next. */
export function renderImportSummary(finished: FinishedImport): string {
  const { test, output, values, written, isExplained } = finished;
  const { model } = test;
  const lines = [
    ...(isExplained ? [] : [renderSize(model)]),
    ...renderList("wrote ", written, maxShownFiles),
    ...(output === null ? renderUnwritten(test) : []),
    ...(values === null ? [] : renderValues(values)),
    ...(isExplained
      ? []
      : [...renderVariables(finished), ...renderFindings(model.findings), ...renderNotes(model.notes)]),
    ...(output === null ? [] : renderNext(output, finished)),
  ];
  return printableLines(lines);
}

function renderSize(model: CaptureModel): string {
  return `${describeSize(model)}.${model.omissions.length > 0 ? " --explain shows what was skipped and why." : ""}`;
}

/** Returns a line with the first items of a list and the number of others; nothing for an empty list. */
function renderList(before: string, items: readonly string[], most: number): string[] {
  return items.length === 0 ? [] : [before + listSome(items, most)];
}

function renderUnwritten({ dataFiles }: TestSource): string[] {
  return renderList(
    "The test reads data files beside it, which -o writes: ",
    dataFiles.map(({ name }) => name),
    maxShownFiles,
  );
}

function renderValues({ path, unwritable }: PlannedValues): string[] {
  return [
    `${path} holds the recorded secrets: keep it to yourself.`,
    ...renderList(
      "Values that a .env file cannot hold; set them in the environment: ",
      unwritable,
      maxShownVariables,
    ),
  ];
}

function renderVariables({ test: { model }, output, values }: FinishedImport): string[] {
  if (values !== null) return [];
  const namesOf = (variables: readonly Variable[]): string[] => variables.map(({ name }) => name);
  const needed = namesOf(model.variables.filter(({ isOptional }) => !isOptional));
  const optional = namesOf(model.variables.filter(({ isOptional }) => isOptional));
  const where = output === null ? "with -o, .env.example lists them" : `see ${exampleOf(output)}`;
  return [
    ...renderList("Set these before running: ", needed, maxShownVariables),
    ...(optional.length === 0
      ? []
      : [
          `Optional: ${optional.length} ${optional.length === 1 ? "variable" : "variables"}, such as ${optional[0] ?? ""}; ${where}.`,
        ]),
  ];
}

/** Returns a line about the parts of the capture that could not be read. */
function renderFindings([first, ...others]: readonly Finding[]): string[] {
  if (first === undefined) return [];
  const more = others.length > 0 ? `, and ${others.length} more; --explain lists them` : "";
  return [`Not understood: ${first.path}: ${first.problem}${more}`];
}

function renderNotes([first, ...others]: readonly string[]): string[] {
  if (first === undefined) return [];
  return [first, ...(others.length > 0 ? [`${others.length} more notes: --explain lists them.`] : [])];
}

/** Returns commands that the user can copy. */
function renderNext(output: string, { test: { model }, values }: FinishedImport): string[] {
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

/** Quotes a path for a shell if necessary. */
function forShell(path: string): string {
  return /^[\w./+@%,:=~-]+$/.test(path) && !/^[-~]/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

/** Describes an import for `import --json`. `output` is the path of the test; null if it was not written. */
export function describeImport(
  { model, source }: TestSource,
  output: string | null,
  written: readonly string[],
): Omit<ImportDocument, "tool"> {
  const { origin, variables, steps, omissions, findings, notes } = model;
  return {
    schema: "bearhug/import@1",
    summary: describeSize(model),
    origin,
    test: output,
    source: output === null ? source : null,
    written,
    variables: variables.map(({ name, description, isOptional }) => ({ name, description, isOptional })),
    steps: steps.map(({ kind, name, waves }) => ({
      kind,
      name,
      requests: sumBy(waves, ({ requests }) => requests.length),
    })),
    omissions: groupOmissions(omissions).map(({ host, reason, count }) => ({ host, reason, count })),
    unreadable: findings.map(({ path, problem }) => ({ path, message: problem })),
    notes,
  };
}
