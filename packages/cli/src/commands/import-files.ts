import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { renderWaterfall, type ImportedCapture, type TestSource } from "@bearhug/har-import";

import type { Content } from "../file-output/stage-file.ts";
import type { OutputFile } from "../file-output/write-files.ts";
import { InvalidInput } from "../invalid-input.ts";
import { addVariables } from "./env-example.ts";
import { whyNotFree, type ImportCommandOptions } from "./import-options.ts";

/** What an import may leave on the disk. */
export interface ImportOutput {
  readonly imported: ImportedCapture;
  readonly test: TestSource;
  /** The capture without its secrets. */
  readonly redact: () => AsyncIterable<string>;
}

/**
 * The files that are asked for, in the order of telling: the test with what belongs beside it, then the others.
 * @throws {InvalidInput} where something that belongs beside the test is there already
 */
export function planFiles(
  { imported, test, redact }: ImportOutput,
  { paths }: ImportCommandOptions,
  force: boolean,
): OutputFile[] {
  const { "-o": output, "--waterfall": waterfall, "--redact-har": redacted } = paths;
  return [
    ...(output === null ? [] : [{ path: output, content: test.source }, ...besideTest(output, test, force)]),
    ...planOne(waterfall, () => renderWaterfall(imported.model)),
    ...planOne(redacted, redact),
  ];
}

function planOne(path: string | null, makeContent: () => Content): OutputFile[] {
  return path === null ? [] : [{ path, content: makeContent() }];
}

function besideTest(output: string, { dataFiles, envExample }: TestSource, force: boolean): OutputFile[] {
  const folder = dirname(output);
  const data = dataFiles.map(({ name, text }) => ({ path: join(folder, name), content: text }));
  const problems = data.flatMap(({ path }) => {
    const why = whyNotFree(path, force);
    return why === null ? [] : [`${path}: ${why}.`];
  });
  const example = join(folder, ".env.example");
  const existing = readExample(example, problems);
  if (problems.length > 0) throw new InvalidInput(problems);
  const variables = addVariables(existing, envExample);
  return [...data, ...(variables === null ? [] : [{ path: example, content: variables }])];
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
