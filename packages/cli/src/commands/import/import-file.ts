import { statSync } from "node:fs";
import { setFlagsFromString } from "node:v8";

import { explainCapture, importCapture, redactHar, writeTest } from "@bearhug/har-import";
import { FileNotWritten, writeFiles } from "@bearhug/report/file-output/write-files";
import { createTextOutput } from "@bearhug/text/text-output";

import { withCapture } from "../../capture-file/read-capture-file.ts";
import { writeDocument } from "../print-document.ts";
import { untilStopped } from "../stop-signals.ts";
import { describeImport, renderImportSummary } from "./import-summary.ts";
import { type ImportOutput, planFiles } from "./import-files.ts";
import type { ImportCommandOptions, ImportFlags } from "./import-options.ts";
import { planValues } from "./import-values.ts";

/**
 * Turns a capture into a test, and writes the requested files.
 * @param stop prevents every file from being written
 */
export async function importFile(
  capture: string,
  options: ImportCommandOptions,
  flags: ImportFlags,
  stop?: AbortSignal,
): Promise<void> {
  await withCapture(capture, async ({ open, bodyOf }) => {
    keepHeapSmall(statSync(capture).size);
    const { select, pagesPerSecond } = options;
    const { parameterize, unique } = flags;
    const imported = await importCapture(open, { select, parameterize, unique, bodyOf });
    const test = await writeTest(imported, pagesPerSecond === null ? {} : { pagesPerSecond });
    const redact = (): AsyncIterable<string> => redactHar(open, { bodyOf });
    const output = options.paths["-o"];
    const values =
      flags.withValues && output !== null ? await planValues(output, imported.recordedValues, flags) : null;
    await writeOutput({ capture, test, redact, values }, options, flags, stop);
  });
}

/**
 * Writes the files and prints to stdout. No file is replaced until stdout has been written, which may fail on
 * a full disk.
 */
async function writeOutput(
  made: ImportOutput,
  options: ImportCommandOptions,
  flags: ImportFlags,
  stop: AbortSignal | undefined,
): Promise<void> {
  stop?.throwIfAborted();
  const files = planFiles(made, options, flags.force);
  const written = files.map(({ path }) => path);
  const output = options.paths["-o"];
  const text =
    flags.json === true
      ? `${writeDocument(describeImport(made.test, output, written))}\n`
      : shownText(made, flags, files.length === 0);
  const whenStaged = (): Promise<void> => print(text);
  await untilStopped((signal) => {
    const either = stop === undefined ? signal : AbortSignal.any([stop, signal]);
    return writeFiles(files, { whenStaged, signal: either });
  });
  const summary = renderImportSummary({
    test: made.test,
    output,
    values: made.values,
    written,
    isExplained: flags.explain,
  });
  await createTextOutput(process.stderr).write(summary);
}

/** Prints to stdout, which may be a file on a full disk. @throws {FileNotWritten} */
async function print(text: string): Promise<void> {
  try {
    await createTextOutput(process.stdout).write(text);
  } catch (error) {
    throw error instanceof Error ? new FileNotWritten("stdout", error) : error;
  }
}

/** Returns the text for stdout: the explanation, or the test itself if no file was requested. */
function shownText({ test }: ImportOutput, { explain }: ImportFlags, writesNoFile: boolean): string {
  if (explain) return explainCapture(test.model);
  return writesNoFile ? test.source : "";
}

const largeBytes = 10_000_000;

/**
 * Makes V8 collect garbage earlier; by default it lets the heap grow to several times the memory in use. Only
 * for a process that does nothing but read a capture, and before it begins.
 *
 * A young generation that stays small costs hardly anything: 4.5 s of CPU instead of 4.4 for 2,000 POSTs with
 * secrets, with 254 MB of memory instead of 389. The other flags trade time for memory, which only a large
 * capture justifies: 100 MB take 5.8 s of CPU and 190 MB of memory instead of 4.7 s and 230 MB, and 100,000
 * entries 12.0 s and 320 MB instead of 10.9 s and 440 MB.
 */
function keepHeapSmall(captureBytes: number): void {
  setFlagsFromString("--semi-space-growth-factor=1");
  if (captureBytes < largeBytes) return;
  setFlagsFromString("--optimize-for-size");
  setFlagsFromString("--heap-growing-percent=30");
}
