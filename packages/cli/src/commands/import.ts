import { statSync } from "node:fs";
import { setFlagsFromString } from "node:v8";

import { explainCapture, importCapture, redactHar, writeTest } from "@bearhug/har-import";
import { printable } from "@bearhug/sdk/internal";
import { Command, Option } from "commander";

import { withCapture } from "../capture-file/read-capture-file.ts";
import { exitCodes } from "../exit-codes.ts";
import { FileNotWritten, writeFiles } from "../file-output/write-files.ts";
import { InvalidInput } from "../invalid-input.ts";
import { createTextOutput } from "../reporters/text-output.ts";
import { captureProblems } from "./capture-problems.ts";
import { type ImportOutput, planFiles } from "./import-files.ts";
import { type ImportCommandOptions, type ImportFlags, readImportOptions } from "./import-options.ts";
import { renderImportSummary } from "./import-summary.ts";
import { planValues } from "./import-values.ts";
import { collect } from "./load-options.ts";
import { Stopped, untilStopped } from "./stop-signals.ts";

export function createCommand(): Command {
  const repeatable = (flags: string, description: string): Option =>
    new Option(flags, description).argParser(collect).default([]);
  return new Command("import")
    .description("turn a browser recording (HAR) into a test")
    .argument("<capture.har>", "a browser recording: .har, .har.gz, or Playwright's .zip")
    .addOption(new Option("-o, --output <file.ts>", "write the test here, with its data and .env.example"))
    .addOption(
      repeatable("--hosts <names>", "treat these hosts as part of the site: api.partner.com,*.cdn.net"),
    )
    .addOption(repeatable("--skip-hosts <names>", "skip requests to these hosts"))
    .addOption(
      repeatable(
        "--only <pattern>",
        "keep only requests that match: /api/*, https://host/*, *.png, type:image",
      ),
    )
    .addOption(repeatable("--skip <pattern>", "skip requests that match"))
    .addOption(
      new Option("--static <keep|drop>", "keep or drop style sheets, images, fonts, scripts, media").default(
        "keep",
      ),
    )
    .addOption(
      new Option("--parameterize", "turn values that differ between similar requests into data").default(
        false,
      ),
    )
    .addOption(new Option("--pages-per-second <n>", "page loads to start per second: 1.1"))
    .addOption(new Option("--explain", "explain what was imported, what was skipped and why").default(false))
    .addOption(new Option("--waterfall <file.html>", "write the explanation as an HTML waterfall"))
    .addOption(new Option("--redact-har <out.har>", "write the recording without its secrets"))
    .addOption(
      new Option("--with-values", "write the recorded values to a .env beside the test").default(false),
    )
    .addOption(new Option("--yes", "add .env to .gitignore without asking").default(false))
    .addOption(new Option("--force", "overwrite existing files").default(false))
    .action(importFile);
}

export function findProblems([capture]: readonly string[], command: Command): string[] {
  const problems = capture === undefined ? [] : captureProblems(capture);
  readImportOptions(capture, command.opts<ImportFlags>(), problems);
  return problems;
}

async function importFile(capture: string, flags: ImportFlags): Promise<void> {
  const problems = captureProblems(capture);
  const options = readImportOptions(capture, flags, problems);
  if (problems.length > 0) throw new InvalidInput(problems);
  try {
    await withCapture(capture, async ({ open, bodyOf }) => {
      keepHeapSmall(statSync(capture).size);
      const { select, pagesPerSecond } = options;
      const imported = await importCapture(open, { select, parameterize: flags.parameterize, bodyOf });
      const test = await writeTest(imported, pagesPerSecond === null ? {} : { pagesPerSecond });
      const redact = (): AsyncIterable<string> => redactHar(open, { bodyOf });
      const output = options.paths["-o"];
      const values =
        flags.withValues && output !== null ? await planValues(output, imported.recordedValues, flags) : null;
      await hand({ capture, imported, test, redact, values }, options, flags);
    });
  } catch (error) {
    if (!(error instanceof FileNotWritten || error instanceof Stopped)) throw error;
    process.stderr.write(`bearhug import: ${printable(error.message)}\n`);
    process.exitCode = error instanceof Stopped ? exitCodes.interrupted : exitCodes.reportNotWritten;
  }
}

/** Everything is there: it is written and shown. No file takes its place before a full stdout would have been noticed. */
async function hand(made: ImportOutput, options: ImportCommandOptions, flags: ImportFlags): Promise<void> {
  const files = planFiles(made, options, flags.force);
  const whenStaged = (): Promise<void> => print(shownText(made, flags, files.length === 0));
  await untilStopped((signal) => writeFiles(files, { whenStaged, signal }));
  const summary = renderImportSummary({
    model: made.imported.model,
    test: made.test,
    output: options.paths["-o"],
    values: made.values,
    written: files.map(({ path }) => path),
    isExplained: flags.explain,
  });
  await createTextOutput(process.stderr).write(summary);
}

/** To a disk perhaps, which may be full. @throws {FileNotWritten} */
async function print(text: string): Promise<void> {
  try {
    await createTextOutput(process.stdout).write(text);
  } catch (error) {
    throw error instanceof Error ? new FileNotWritten("stdout", error) : error;
  }
}

/** The text for stdout: the explanation, or the test itself if no file was asked for. */
function shownText({ imported, test }: ImportOutput, { explain }: ImportFlags, isAlone: boolean): string {
  if (explain) return explainCapture(imported.model);
  return isAlone ? test.source : "";
}

const largeBytes = 10_000_000;

/**
 * Garbage is collected earlier than the engine would, which lets the heap grow to several times what is in use. For a
 * process that does nothing else than read a capture, before it begins.
 *
 * A young generation that stays small costs hardly anything: 4.5 s of CPU instead of 4.4 for 2,000 POSTs with secrets,
 * with 254 MB of memory instead of 389. What else saves memory costs time that only a large capture is worth: 100 MB take
 * 5.8 s of CPU and 190 MB of memory instead of 4.7 s and 230 MB, and 100,000 entries 12.0 s and 320 MB instead of 10.9 s
 * and 440 MB.
 */
function keepHeapSmall(captureBytes: number): void {
  setFlagsFromString("--semi-space-growth-factor=1");
  if (captureBytes < largeBytes) return;
  setFlagsFromString("--optimize-for-size");
  setFlagsFromString("--heap-growing-percent=30");
}
