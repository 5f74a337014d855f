import { join } from "node:path";

import { BearhugError, type TestResult } from "@bearhug/sdk";
import { errorMessage } from "@bearhug/text/caught-error";
import { createTextOutput } from "@bearhug/text/text-output";

import { identityOf } from "./file-output/file-identity.ts";
import { type Content, kindOf, stageFile, whyUnwritable } from "./file-output/stage-file.ts";
import type { Reporter } from "./reporter.ts";

/** The path that stands for standard output. */
const stdoutPath = "-";

/** True if any of these `--out` writes to standard output, so that nothing else may. */
export function writesToStdout(outs: readonly string[]): boolean {
  return outs.some((text) => text.endsWith(`=${stdoutPath}`));
}

/** Creates a reporter that writes one file. */
export function createFileReporter(
  name: string,
  path: string,
  render: (result: TestResult) => Content | Promise<Content>,
): Reporter {
  return { name, path, onEnd: createFileWriter(name, path, render) };
}

/**
 * Returns a function that writes one file of a document, completely or not at all. The function throws
 * {@link ReportNotWritten}.
 */
export function createFileWriter<Document>(
  name: string,
  path: string,
  render: (document: Document) => Content | Promise<Content>,
): (document: Document) => Promise<void> {
  return async (document) => {
    try {
      const content = await render(document);
      await (path === stdoutPath ? writeToStdout(content) : writeToFile(path, content));
    } catch (error) {
      throw new ReportNotWritten(name, error, path);
    }
  };
}

async function writeToFile(path: string, content: Content): Promise<void> {
  const staged = await stageFile(path, content);
  try {
    await staged.commit();
  } catch (error) {
    await staged.discard().catch(() => undefined);
    throw error;
  }
}

async function writeToStdout(content: Content): Promise<void> {
  const output = createTextOutput(process.stdout);
  if (typeof content === "string") await output.write(content);
  else for await (const piece of content) await output.write(piece);
}

/**
 * A report that could not be written. The run keeps its verdict; its exit code becomes 111 if all else went
 * well.
 */
export class ReportNotWritten extends BearhugError {
  override readonly name = "ReportNotWritten";
  readonly code = "REPORT_NOT_WRITTEN";
  /** The reporter, as `--out` names it. */
  readonly reporter: string;
  constructor(reporter: string, cause: unknown, path?: string) {
    super(
      `report not written: ${errorMessage(cause)} (${path === undefined ? reporter : `${reporter} to ${path}`})`,
      { cause },
    );
    this.reporter = reporter;
  }
}

/**
 * Returns why a report cannot be written to a path, as far as is known before the run; null if nothing
 * prevents it.
 * @param inputs files that the command reads
 */
export function whyPathUnusable(path: string, inputs: readonly string[]): string | null {
  if (path === stdoutPath) return null;
  const existing = kindOf(path);
  if (path.endsWith("/") || existing?.isDirectory() === true)
    return `${path} is a folder. Name a file in it, such as ${join(path, "report")}.`;
  const input =
    existing?.isFile() === true ? inputs.find((one) => identityOf(one) === identityOf(path)) : undefined;
  if (input === undefined) {
    const why = whyUnwritable(path);
    return why === null ? null : `${why}. Choose another path.`;
  }
  return `the report would replace ${input}, which this command reads. Choose another path.`;
}
