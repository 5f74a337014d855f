import { availableParallelism } from "node:os";

import type { SourcePosition, TestResult, ValidatedTest } from "@bearhug/sdk";

import { Interruptions } from "../coordinator/interruptions.ts";
import { runTest, type RunObserver } from "../coordinator/run-test.ts";
import { launchThread } from "../coordinator/worker-handle.ts";
import { chooseExitCode, exitCodes, type ExitCode } from "../exit-codes.ts";
import { readMachineLimits } from "../health/machine-limits.ts";
import { systemClock } from "../pacing/clock.ts";
import { printable } from "../format/printable.ts";
import { describeTerminal } from "../format/terminal.ts";
import type { DefinitionSource } from "../protocol/definition-source.ts";
import type { BundlePosition } from "../metrics/error-log.ts";
import { createReporters } from "../reporters/index.ts";
import { createMultiplexer, type Multiplexer } from "../reporters/multiplexer.ts";
import { createTerminalReporter } from "../reporters/terminal/terminal-reporter.ts";
import { makePlan, type PlannedRun } from "../test-file/make-plan.ts";
import { secretsByName } from "../test-file/read-env.ts";
import type { LocatedSource } from "../test-file/source-lines.ts";
import type { RunOptions } from "../test-file/run-options.ts";
import type { LoadFlags } from "./load-options.ts";

/** A test on its way to the workers. */
export interface LoadedTest {
  readonly source: DefinitionSource;
  /** What the test is called when it has no name of its own. */
  readonly fallbackName: string;
  readonly locate: (position: BundlePosition) => LocatedSource | null;
  readonly locateThreshold: (key: string, expression: string) => SourcePosition | null;
  /** Removes what was written for the run. */
  readonly remove: () => void;
}

const stopSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Runs a test and tells how it went: progress on stderr, the summary on stdout, reports to files; sets the exit code. */
export async function runAndReport(
  load: () => Promise<LoadedTest>,
  options: RunOptions,
  flags: LoadFlags,
  file: string | null,
): Promise<void> {
  // Before anything is started: a path that cannot be used costs no test run.
  const written = createReporters(flags.out);
  const terminal = createTerminalReporter({
    summary: { stream: process.stdout, terminal: describeTerminal(process.stdout, process.env) },
    notes: { stream: process.stderr, terminal: describeTerminal(process.stderr, process.env) },
    hasProgress: !flags.quiet,
  });
  const warn = (text: string): void => {
    terminal.note(printable(text));
  };
  const summary = createMultiplexer([terminal], warn);
  const files = createMultiplexer(written, warn);
  const interruptions = listenForSignals(warn);
  const loaded = await load();
  try {
    const result = await runTest({
      source: loaded.source,
      launch: options.workers === 0 ? (await import("../worker/launch-here.ts")).launchHere : launchThread,
      clock: systemClock,
      plan: planner(options, loaded.fallbackName),
      file,
      knownSecrets: [...secretsByName(process.env), ...secretsByName(options.env)],
      isStrictGenerator: flags.strictGenerator,
      limits: readMachineLimits(),
      linkBitsPerSecond: options.linkBitsPerSecond,
      locate: loaded.locate,
      locateThreshold: loaded.locateThreshold,
      interruptions,
      observer: observe(summary, warn),
    });
    process.exitCode = await report(files, summary, result);
  } finally {
    loaded.remove();
  }
}

function planner(options: RunOptions, fallbackName: string): (test: ValidatedTest) => PlannedRun {
  const surroundings = { environment: process.env, cores: availableParallelism(), fallbackName };
  return (test) => makePlan(test, options, surroundings);
}

function observe(reporters: Multiplexer, warn: (text: string) => void): RunObserver {
  return {
    onProgress: (progress) => {
      reporters.onInterval(progress);
    },
    onLog: ({ level, text, from }) => {
      warn(`${level === "info" ? "" : `${level}: `}${text}  (${from})`);
    },
    onWarning: warn,
  };
}

/** Files first: what could not be written belongs into the summary. */
async function report(files: Multiplexer, terminal: Multiplexer, result: TestResult): Promise<ExitCode> {
  const notWritten = await files.onEnd(result);
  const held: ExitCode[] = notWritten.length > 0 ? [exitCodes.reportNotWritten] : [];
  const ended = Object.values(exitCodes).find((code) => code === result.exitCode);
  const exitCode = chooseExitCode(ended === undefined ? held : [...held, ended]);
  const messages = [...result.messages, ...notWritten.map(({ message }) => message)];
  const untold = await terminal.onEnd({ ...result, exitCode, messages });
  return untold.length > 0 ? chooseExitCode([exitCode, exitCodes.reportNotWritten]) : exitCode;
}

/** The first signal ends the run gracefully, the second at once. */
function listenForSignals(warn: (text: string) => void): Interruptions {
  const interruptions = new Interruptions();
  for (const signal of stopSignals) {
    process.on(signal, () => {
      warn(
        interruptions.isInterrupted ? "stopping now" : `${signal}: ending gracefully; once more to stop now`,
      );
      interruptions.interrupt(signal);
    });
  }
  return interruptions;
}
