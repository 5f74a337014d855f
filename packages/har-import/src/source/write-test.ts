import { BearhugError } from "@bearhug/sdk";
import type { CaptureModel, ImportedCapture, Variable } from "../capture-model.ts";
import { createLeakFinder, type FindLeaks } from "../secrets/known-secrets.ts";
import { planParts } from "./file-parts.ts";
import { formatSource, joinSource } from "./format-source.ts";
import { findFixedWords, leaveOutLeaks } from "./leave-out-leaks.ts";
import { escapeInvisible } from "./quote-text.ts";
import type { TableWords, Vocabulary } from "./vocabulary.ts";
import { type TestOptions, writeSource } from "./write-source.ts";

/** A test, and the files that belong to it. */
export interface TestSource {
  readonly source: string;
  /** The model as written: requests that could not be written are among its omissions. */
  readonly model: CaptureModel;
  /** Files to write beside the source; their names are relative to it. */
  readonly dataFiles: readonly TestFile[];
  /** A `.env` file without values; "" if none is needed. */
  readonly envExample: string;
}

/**
 * Writes a capture as the test that a developer would have written. The same capture gives the same bytes.
 * The result is searched for every secret: a request that would contain one is omitted, and a comment says
 * so; any other text that would contain one is replaced. A secret that is a word of every test is not
 * revealed by it.
 *
 * @throws SecretLeakError if a secret is left elsewhere. That is a bug of this package.
 */
export async function writeTest(
  { model, redacted }: Pick<ImportedCapture, "model" | "redacted">,
  options: TestOptions = {},
): Promise<TestSource> {
  const written = await writeModel(model, options);
  if (findLeak(written, createLeakFinder(redacted)) === null) return written;
  const isFixed = findFixedWords(options);
  const findLeaks = createLeakFinder(redacted.filter((secret) => !isFixed(secret)));
  if (findLeak(written, findLeaks) === null) return written;
  const again = await writeModel(leaveOutLeaks(model, findLeaks), options);
  const leak = findLeak(again, findLeaks);
  if (leak !== null) throw leak;
  return again;
}

async function writeModel(model: CaptureModel, options: TestOptions): Promise<TestSource> {
  const parts = planParts(model);
  const source = writeSource(model, parts, options);
  return {
    model,
    source: options.formatted === false ? joinSource(source) : await formatSource(source),
    dataFiles: writeDataFiles(parts.vocabulary),
    envExample: writeEnvExample(model.variables),
  };
}

function findLeak(
  { source, envExample, dataFiles }: TestSource,
  findLeaks: FindLeaks,
): SecretLeakError | null {
  const files = [
    { name: "the test", text: source },
    { name: ".env.example", text: envExample },
    ...dataFiles,
  ];
  const [leak] = findLeaks(files.map(({ text }) => text));
  if (leak === undefined) return null;
  const { name, text } = files[leak.textIndex] ?? { name: "", text: "" };
  return new SecretLeakError(name, text.slice(0, leak.start).split("\n").length);
}

/** A file that a test needs beside it. */
export interface TestFile {
  /** Relative, with `/`. */
  readonly name: string;
  readonly text: string;
}

/** Writes the tables of a test as JSON: a list of rows. */
function writeDataFiles({ tables }: Vocabulary): TestFile[] {
  return Array.from(tables.values(), (words) => ({
    name: `data/${words.identifier}.json`,
    text: `${escapeInvisible(JSON.stringify(rowsOf(words), null, 2))}\n`,
  }));
}

function rowsOf({ table, keys }: TableWords): Record<string, string>[] {
  return table.rows.map((row) =>
    Object.fromEntries(
      table.columns.map((column, index) => [keys.get(column) ?? "", row[index] ?? ""] as const),
    ),
  );
}

/** Characters that would end a comment's line, or are invisible in it. */
const lineEnds = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;

/** Writes a `.env` without values: the purpose of each variable, a remark if it is optional, and its name. */
function writeEnvExample(variables: readonly Variable[]): string {
  return variables
    .map(({ name, description, isOptional }) => {
      const what = `${description.replace(lineEnds, " ")}${isOptional ? " Optional." : ""}`;
      return `# ${what}\n${name}=\n`;
    })
    .join("\n");
}

/**
 * Thrown if the output would have contained a secret, which is a bug of this package. Nothing is returned
 * then.
 */
export class SecretLeakError extends BearhugError {
  override readonly name = "SecretLeakError";
  readonly code = "SECRET_LEAK";
  constructor(file: string, line: number) {
    super(
      `This is a bug in bearhug: line ${line} of ${file} would have contained a secret from the capture, so nothing was written.`,
    );
  }
}
