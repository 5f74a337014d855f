import { availableParallelism, tmpdir } from "node:os";
import { dirname } from "node:path";

import { builtInClients } from "@bearhug/engine/built-in-clients";
import { isRunning } from "@bearhug/engine/recording/is-running";
import { RecordingFile } from "@bearhug/engine/recording/recording-file";
import { conductRun } from "@bearhug/engine/run/conduct-run";
import type { LoadedTest } from "@bearhug/engine/run/load-test";
import type { RunRequest, SummarizeResult } from "@bearhug/engine/run/run-request";
import { ThreadPool } from "@bearhug/engine/run/thread-pool";
import type { DefinitionSource } from "@bearhug/plan/protocol/definition-source";
import { removeDeadFolders } from "@bearhug/plan/test-file/run-folders";
import type { RunOptions } from "@bearhug/plan/test-file/run-options";
import { renderProblemLines } from "@bearhug/report/github/annotations";
import { InvalidInput, type TestResult } from "@bearhug/sdk";

import { launcherFor } from "../../run/launcher-for.ts";
import { observeFor, openOutputs, type Outputs } from "../../run/open-outputs.ts";
import type { Judge } from "../report/judge-comparison.ts";
import { listenForSignals, type SignalListener } from "../stop-signals.ts";
import type { LoadFlags } from "../load-options.ts";
import { openTerminal, type OpenTerminal } from "../open-terminal.ts";
import { keepRecording, mentionLeftovers, userRecordingFolder } from "../report/recordings.ts";
import { reportResult, type ReportedResult } from "../report/report-result.ts";
import { openPage, type OpenPage } from "../report/show-page.ts";
import { reportToGithub } from "../report/report-to-github.ts";

/** A run requested on the command line. */
export interface RunCommand {
  /** The test's file as the user named it; null for URLs. */
  readonly file: string | null;
  readonly load: (warn: (text: string) => void) => Promise<LoadedTest>;
  readonly options: RunOptions;
  readonly flags: LoadFlags;
  /** Compares the run with others; null if no comparison was requested. */
  readonly judge?: Judge | null;
  /** True to show the default summary even if the test has its own. @default false */
  readonly ignoresTestSummary?: boolean;
  /** A listener shared by several runs. @default one for this run alone */
  readonly signals?: SignalListener;
}

/** The end of a run that was reported. */
export interface RunEnd {
  /** The result, including the outcome of its reports. */
  readonly result: TestResult;
  readonly isInterrupted: boolean;
}

/**
 * Runs a test and reports it: progress on stderr, the summary on stdout, reports to files. Sets the exit
 * code.
 */
export async function runAndReport(command: RunCommand): Promise<RunEnd> {
  const { flags, file } = command;
  const terminal = openTerminal(flags.quiet ? "none" : "everywhere", flags.out, {
    hasLatency: flags.latency,
  });
  const page = await openPage(flags.ui === true, file ?? "bearhug", terminal.warn);
  const signals = command.signals ?? listenForSignals(terminal.warn);
  try {
    const result = await runDisplayed(command, { ...terminal, page, signals });
    if (command.signals === undefined) signals.stopListening();
    const { isInterrupted } = signals.interruptions;
    if (!isInterrupted) await page.keep();
    return { result, isInterrupted };
  } finally {
    terminal.close();
    await page.close();
  }
}

/** The terminal and the page that display a run, and the signals that may end it. */
interface RunDisplay extends OpenTerminal {
  readonly page: OpenPage;
  readonly signals: SignalListener;
}

async function runDisplayed(command: RunCommand, display: RunDisplay): Promise<TestResult> {
  const { options, flags } = command;
  const { summary, warn, page, signals } = display;
  const recording = new RecordingFile(userRecordingFolder(), warn);
  const threads = new ThreadPool(builtInClients.map(({ module }) => module));
  const loaded = await loadWhileBooting(threads, command, warn);
  void mentionLeftovers(userRecordingFolder(), loaded, warn).catch(() => undefined);
  void removeDeadBundles(loaded.source).catch(() => undefined);
  let outputs: Outputs | null = null;
  try {
    const { files, sinks, samples, end, stopWaiting } = (outputs = await openOutputs(
      { ...flags, recording: () => recording.read() },
      warn,
    ));
    const request: RunRequest = {
      loaded,
      options,
      launch: await launcherFor(loaded, options.workers, threads),
      interruptions: signals.interruptions,
      observer: observeFor([summary, files, page.reporters, sinks], atTerminal(display)),
      recorder: recording,
      samples,
    };
    const reported = await conductRun(request, async (composed, summarize) => {
      signals.enterReports(stopWaiting);
      const ended = await end(command.judge?.(composed) ?? composed);
      return reportEnd(ended, { command, display, files, summarize });
    });
    if (reported.isComplete) await recording.remove();
    else await keepRecording(recording, warn);
    return reported.result;
  } catch (error) {
    if (error instanceof InvalidInput) await recording.remove();
    else await keepRecording(recording, warn);
    throw error;
  } finally {
    await Promise.all([threads.close(), outputs?.close()]);
    loaded.remove();
  }
}

interface ResultDisplay {
  readonly command: RunCommand;
  readonly display: RunDisplay;
  readonly files: Outputs["files"];
  /** Null for a test without a summary of its own. */
  readonly summarize: SummarizeResult | null;
}

async function reportEnd(
  result: TestResult,
  { command, display, files, summarize }: ResultDisplay,
): Promise<ReportedResult> {
  const { summary, print, warn, page } = display;
  const inputs = command.file === null ? [] : [command.file];
  const hasOwn = summarize !== null && command.ignoresTestSummary !== true;
  const own = hasOwn ? { ...display, summarize, inputs } : null;
  const reported = await reportResult(files, summary, result, own);
  await page.reporters.onEnd(reported.result);
  if (command.flags.problems === true) for (const line of renderProblemLines(reported.result)) print(line);
  await reportToGithub(reported, { print, warn });
  return reported;
}

/**
 * Loads the test while the run's threads boot. The first load worker boots only afterwards, when its memory
 * limit is known.
 */
async function loadWhileBooting(
  threads: ThreadPool,
  { file, load, options: { workers } }: RunCommand,
  warn: (text: string) => void,
): Promise<LoadedTest> {
  if (workers === 0) return load(warn);
  try {
    if (file !== null) threads.bootDefinition();
    const loaded = await load(warn);
    threads.bootLoad(loaded.source, Math.max(1, workers ?? availableParallelism() - 1));
    return loaded;
  } catch (error) {
    await threads.close();
    throw error;
  }
}

/** Returns an observer that reports to the terminal. */
export function atTerminal({
  warn,
  log,
  signals,
}: Pick<RunDisplay, "warn" | "log" | "signals">): Parameters<typeof observeFor>[1] {
  return {
    onTeardown: signals.enterTeardown,
    onSummary: signals.enterSummary,
    onLog: log,
    onWarning: warn,
  };
}

/** Removes bundles of killed runs from every folder where this run may put its own. */
async function removeDeadBundles(source: DefinitionSource): Promise<void> {
  const beside = source.kind === "module" ? [dirname(dirname(source.bundlePath))] : [];
  const nowMs = Date.now();
  const parents = new Set([...beside, tmpdir()]);
  await Promise.all(Array.from(parents, (parent) => removeDeadFolders(parent, nowMs, isAlive)));
}

/**
 * True if the process that made a bundle runs. The folder's age says nothing, because a run never writes to
 * it again.
 */
async function isAlive(pid: number, ageMs: number): Promise<boolean> {
  return isRunning(pid, pid === process.pid ? ageMs : 0);
}
