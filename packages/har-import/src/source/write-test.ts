import { createLeakFinder, type FindLeaks } from "../secrets/find-leaks.ts";
import type { CaptureModel, ImportedCapture } from "../capture-model.ts";
import { type TestFile, writeDataFiles } from "./data-file.ts";
import { writeEnvExample } from "./env-example.ts";
import { planParts } from "./file-parts.ts";
import { findFixedWords } from "./fixed-words.ts";
import { formatSource } from "./format-source.ts";
import { leaveOutLeaks } from "./leave-out-leaks.ts";
import { SecretLeakError } from "./secret-leak-error.ts";
import { joinSource } from "./unformatted-source.ts";
import { type TestOptions, writeSource } from "./write-source.ts";

/** A test, and the files that belong to it. */
export interface TestSource {
  readonly source: string;
  /** Beside the source; names are relative to it. */
  readonly dataFiles: readonly TestFile[];
  /** A `.env` in which the values are missing; "" where none is needed. */
  readonly envExample: string;
}

/**
 * Writes a capture down as the test that a developer would have written. The same capture gives the same bytes.
 * What was written is searched for every secret: a request in which one is left is not written, and a comment says so;
 * words in which one is left give way to others. A secret that is a word of every test tells nothing there.
 *
 * @throws SecretLeakError where a secret stands elsewhere. That is a fault of this package.
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
