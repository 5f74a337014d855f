import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { renderWaterfall, type ImportedCapture, type TestSource } from "@bearhug/har-import";

import type { OutputFile } from "../file-output/write-files.ts";
import { InvalidInput } from "../invalid-input.ts";
import { addVariables } from "./env-example.ts";
import type { ImportCommandOptions } from "./import-options.ts";
import { ClaimedPaths, whyNotFree } from "./import-paths.ts";

/** What an import may leave on the disk. */
export interface ImportOutput {
  readonly capture: string;
  readonly imported: ImportedCapture;
  readonly test: TestSource;
  /** The capture without its secrets. */
  readonly redact: () => AsyncIterable<string>;
}

interface PlannedFile extends OutputFile {
  /** What it is, in a sentence. */
  readonly what: string;
  /** The option that names it; null for what goes beside the test. */
  readonly flag: string | null;
}

/**
 * The files that are asked for, in the order of telling: the test with what belongs beside it, then the others.
 * @throws {InvalidInput} where something that belongs beside the test is there already, or two files have one path
 */
export function planFiles(output: ImportOutput, options: ImportCommandOptions, force: boolean): OutputFile[] {
  const problems: string[] = [];
  const planned = listFiles(output, options, problems);
  const claimed = new ClaimedPaths(output.capture);
  for (const { path, what, flag } of planned) {
    const isData = flag === null && what !== exampleOfTest;
    const why = claimed.claim(path, what) ?? (isData ? whyNotFree(path, force) : null);
    if (why !== null) problems.push(`${flag === null ? "" : `${flag} `}${path}: ${why}.`);
  }
  if (problems.length > 0) throw new InvalidInput(problems);
  return planned.map(({ path, content }) => ({ path, content }));
}

const exampleOfTest = "the .env.example of -o";

function listFiles(
  { imported, test, redact }: ImportOutput,
  { paths }: ImportCommandOptions,
  problems: string[],
): PlannedFile[] {
  const { "-o": output, "--waterfall": waterfall, "--redact-har": redacted } = paths;
  const named = (
    flag: string,
    path: string | null,
    makeContent: () => OutputFile["content"],
  ): PlannedFile[] => (path === null ? [] : [{ path, what: flag, flag, content: makeContent() }]);
  return [
    ...named("-o", output, () => test.source),
    ...(output === null ? [] : besideTest(dirname(output), test, problems)),
    ...named("--waterfall", waterfall, () => renderWaterfall(imported.model)),
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
      content: text,
    })),
    ...(variables === null ? [] : [{ path: example, what: exampleOfTest, flag: null, content: variables }]),
  ];
}

function readExample(path: string, problems: string[]): string | null {
  if (!existsSync(path)) return null;
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
    problems.push(`${path}: cannot be read (${code}).`);
    return null;
  }
}
