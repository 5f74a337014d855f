import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { renderWaterfall, type TestSource } from "@bearhug/har-import";
import type { OutputFile } from "@bearhug/report/file-output/write-files";
import { InvalidInput } from "@bearhug/sdk";
import { errorCode } from "@bearhug/text/caught-error";

import { addVariables } from "./env-files.ts";
import type { ImportCommandOptions } from "./import-options.ts";
import { ClaimedPaths, whyNotFree } from "./import-paths.ts";
import { secretFileMode, type PlannedValues } from "./import-values.ts";

/** Everything that an import may write to files. */
export interface ImportOutput {
  readonly capture: string;
  readonly test: TestSource;
  /** The capture without its secrets. */
  readonly redact: () => AsyncIterable<string>;
  /** The `.env` to write; null if it was not requested. */
  readonly values: PlannedValues | null;
}

interface PlannedFile extends OutputFile {
  /** A description for error messages. */
  readonly what: string;
  /** The option that names the file; null for a file that goes beside the test. */
  readonly flag: string | null;
  /** True if the file's existing content is kept and extended. */
  readonly isAddedTo: boolean;
}

/**
 * Plans the requested files in the order in which they are listed to the user: the test with the files beside
 * it, then the others.
 * @throws {InvalidInput} if a file beside the test exists already, or two files have the same path
 */
export function planFiles(output: ImportOutput, options: ImportCommandOptions, force: boolean): OutputFile[] {
  const problems: string[] = [];
  const planned = listFiles(output, options, problems);
  const claimed = new ClaimedPaths(output.capture);
  for (const { path, what, flag, isAddedTo } of planned) {
    const isData = flag === null && !isAddedTo;
    const why = claimed.claim(path, what) ?? (isData ? whyNotFree(path, force) : null);
    if (why !== null) problems.push(`${flag === null ? "" : `${flag} `}${path}: ${why}.`);
  }
  if (problems.length > 0) throw new InvalidInput(problems);
  return planned.map(({ path, content, mode }) => ({ path, content, mode }));
}

function listFiles(
  { test, redact, values }: ImportOutput,
  { paths }: ImportCommandOptions,
  problems: string[],
): PlannedFile[] {
  const { "-o": output, "--waterfall": waterfall, "--redact-har": redacted } = paths;
  const named = (
    flag: string,
    path: string | null,
    makeContent: () => OutputFile["content"],
  ): PlannedFile[] =>
    path === null ? [] : [{ path, what: flag, flag, isAddedTo: false, content: makeContent() }];
  return [
    ...named("-o", output, () => test.source),
    ...(output === null ? [] : besideTest(dirname(output), test, problems)),
    ...(values === null ? [] : valueFiles(values)),
    ...named("--waterfall", waterfall, () => renderWaterfall(test.model)),
    ...named("--redact-har", redacted, redact),
  ];
}

function besideTest(
  folder: string,
  { dataFiles, envExample }: TestSource,
  problems: string[],
): PlannedFile[] {
  const example = join(folder, ".env.example");
  const variables = addVariables(readExample(example, problems), envExample);
  return [
    ...dataFiles.map(({ name, text }) => ({
      path: join(folder, name),
      what: "data of -o",
      flag: null,
      isAddedTo: false,
      content: text,
    })),
    ...(variables === null ? [] : [addedTo(example, "the .env.example of -o", variables)]),
  ];
}

/** Returns the `.env` and, before it, the `.gitignore` that keeps it out of git. */
function valueFiles({ path, text, ignore }: PlannedValues): PlannedFile[] {
  return [
    ...(ignore === null ? [] : [addedTo(ignore.path, "the .gitignore of --with-values", ignore.content)]),
    { ...addedTo(path, "the .env of --with-values", text), mode: secretFileMode },
  ];
}

function addedTo(path: string, what: string, content: string): PlannedFile {
  return { path, what, flag: null, isAddedTo: true, content };
}

function readExample(path: string, problems: string[]): string | null {
  if (!existsSync(path)) return null;
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const code = errorCode(error) ?? String(error);
    problems.push(`${path}: cannot be read (${code}).`);
    return null;
  }
}
