import { readFile, stat } from "node:fs/promises";

import { findContradictions } from "@bearhug/engine/outcome/contradictions/find-contradictions";
import { rebuildRun } from "@bearhug/engine/outcome/rebuild-run";
import { isBeingWritten } from "@bearhug/engine/recording/leftovers";
import {
  isCompressed,
  isCompressedContent,
  readRecording,
  type Recording,
} from "@bearhug/engine/recording/read-recording";
import { exitCodes } from "@bearhug/metrics/results/exit-codes";
import { readStandardInput, standardInput } from "@bearhug/plan/test-file/standard-input";
import { createMultiplexer } from "@bearhug/report/multiplexer";
import { InvalidInput, parseResult, type TestResult } from "@bearhug/sdk";
import { asLines } from "@bearhug/text/as-lines";
import { errorMessage } from "@bearhug/text/caught-error";
import { Command } from "commander";

import { setExitCode } from "../leave.ts";
import { jsonOutOption, latencyOption, uiOption } from "../load-options.ts";
import { createMergedReporters, findMergedReportProblems, mergedReportsOption } from "./merged-reports.ts";
import { addReader } from "../reading.ts";
import { openTerminal } from "../open-terminal.ts";
import { describeLeftovers } from "./recordings.ts";
import { showResult } from "./show-page.ts";
import { reportResult } from "./report-result.ts";

export function createCommand(): Command {
  const command = new Command("report")
    .description("make a report again, even of a killed run")
    .argument(
      "[file]",
      "a result.json (- for standard input), or the recording of a killed run; omit to list recordings",
    )
    .addOption(mergedReportsOption())
    .addOption(jsonOutOption())
    .addOption(latencyOption())
    .addOption(uiOption("show the report in your browser"))
    .action(report);
  return addReader(command, readLine);
}

function readLine(files: readonly string[], { out }: ReportFlags, problems: string[]): void {
  problems.push(...findMergedReportProblems(out, files));
}

interface ReportFlags {
  readonly latency: boolean;
  readonly out: readonly string[];
  readonly ui: boolean;
}

async function report(file: string | undefined, { out, latency, ui }: ReportFlags): Promise<void> {
  const written = createMergedReporters(out, file === undefined ? [] : [file]);
  if (file === undefined) {
    const given = {
      "--json": out.includes("json=-"),
      "--out": out.length > 0,
      "--latency": latency,
      "--ui": ui,
    };
    const [givenFlag] = Object.entries(given).flatMap(([flag, isGiven]) => (isGiven ? [flag] : []));
    if (givenFlag !== undefined)
      throw new InvalidInput([`${givenFlag}: also name the result or recording to report.`]);
    process.stdout.write(await listRecordings());
    return;
  }
  const result = await readResult(file);
  const { summary, warn } = openTerminal("none", out, { hasLatency: latency });
  const { isComplete } = await reportResult(createMultiplexer(written, warn), summary, result);
  setExitCode(isComplete ? exitCodes.passed : exitCodes.reportNotWritten);
  if (ui) await showResult(file, result, warn);
}

/**
 * Reads a saved result (from standard input for `-`) or the recording of a killed run. @throws {InvalidInput}
 */
export async function readResult(path: string): Promise<TestResult> {
  const saved = await openSaved(path);
  return "moments" in saved ? explainUnreadable(path, () => rebuildKilled(path, saved)) : saved;
}

/** Reads a saved result (from standard input for `-`), or opens a recording. @throws {InvalidInput} */
export async function openSaved(path: string): Promise<TestResult | Recording> {
  if (path === standardInput) return parseSaved(path, readPipedResult());
  return explainUnreadable(path, async () => {
    if (!(await stat(path)).isFile()) throw new InvalidInput([`${path} is not a file.`]);
    if (await isCompressed(path)) return readRecording(path);
    return parseSaved(path, await readFile(path, "utf8"));
  });
}

async function rebuildKilled(path: string, { head, moments }: Recording): Promise<TestResult> {
  const result = await rebuildRun(head.run, moments);
  if (result.truncated && (await isBeingWritten(path, Date.now())))
    throw new InvalidInput([`${path}: this run is still in progress. Report it when it has ended.`]);
  return result;
}

async function explainUnreadable<Read>(path: string, read: () => Promise<Read>): Promise<Read> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof Error && "syscall" in error)) throw error;
    const isMissing = "code" in error && error.code === "ENOENT";
    throw new InvalidInput([isMissing ? `There is no file ${path}.` : `${path}: ${error.message}.`], {
      cause: error,
    });
  }
}

/** Reads a result from standard input. A recording cannot be piped, because it is not read in order. */
function readPipedResult(): string {
  const bytes = readStandardInput();
  if (!isCompressedContent(bytes)) return bytes.toString("utf8");
  throw new InvalidInput([
    `${standardInput}: is a recording, which is read from a file. Save it, and name that file.`,
  ]);
}

/** Parses a saved result; `path` is its name in messages. @throws {InvalidInput} */
export function parseSaved(path: string, text: string): TestResult {
  let value: unknown;
  try {
    // Editors and shells on Windows may add a byte order mark.
    value = JSON.parse(text.replace(/^\u{feff}/u, ""));
  } catch (cause) {
    // The parser's message quotes the text, including line breaks.
    const parsing = errorMessage(cause).replaceAll(/\s+/g, " ");
    const why = text === "" ? "it is empty" : parsing;
    throw new InvalidInput([`${path} is neither a result nor a recording: ${why}.`], { cause });
  }
  if (typeof value !== "object" || value === null || !("schema" in value))
    throw new InvalidInput([`${path} is not a bearhug result.`]);
  const { result, problems } = parseResult(value);
  if (result === undefined) throw new InvalidInput(problems.map(({ message }) => `${path}: ${message}`));
  rejectContradictions(path, result);
  return result;
}

const maxShown = 20;

/** @throws {InvalidInput} if the result contradicts itself: it was edited, or written by another tool */
function rejectContradictions(path: string, result: TestResult): void {
  const found = findContradictions(result);
  if (found.length === 0) return;
  const shown = found.slice(0, maxShown).map((one) => `${path}: ${one.path} ${one.message}.`);
  const more = found.length - shown.length;
  throw new InvalidInput([
    ...shown,
    ...(more > 0 ? [`${path}: and ${more} more contradictions.`] : []),
    `${path} contradicts itself, so it is not reported. Write it again from the run.`,
  ]);
}

async function listRecordings(): Promise<string> {
  const rows = await describeLeftovers();
  if (rows.length === 0) return "No run was killed in the last 7 days.\n";
  return asLines(["Recorded runs, newest first:", ...rows.flat()]);
}
