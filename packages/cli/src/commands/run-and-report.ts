import type { RunObserver } from "../coordinator/run-request.ts";
import { launchThread } from "../coordinator/worker-handle.ts";
import { InvalidInput } from "../invalid-input.ts";
import { RecordingFile } from "../recording/recording-file.ts";
import { createReporters } from "../reporters/index.ts";
import { createMultiplexer, type Multiplexer } from "../reporters/multiplexer.ts";
import { executeRun } from "../run/execute-run.ts";
import type { LoadedTest } from "../run/load-test.ts";
import type { RunOptions } from "../test-file/run-options.ts";
import { decideExit } from "../worker/exit-guard.ts";
import { removeDeadBundles } from "./dead-bundles.ts";
import { listenForSignals } from "./listen-for-signals.ts";
import type { LoadFlags } from "./load-options.ts";
import { openTerminal } from "./open-terminal.ts";
import { keepRecording, mentionLeftovers, userRecordingFolder } from "./recordings.ts";
import { reportResult } from "./report-result.ts";
import { tellGithub } from "./tell-github.ts";

/** Runs a test and tells how it went: progress on stderr, the summary on stdout, reports to files; sets the exit code. */
export async function runAndReport(
  load: (warn: (text: string) => void) => Promise<LoadedTest>,
  options: RunOptions,
  flags: LoadFlags,
  file: string | null,
): Promise<void> {
  // Before anything is started: a path that cannot be used costs no test run.
  const written = createReporters(flags.out);
  const { summary, warn, print } = openTerminal(!flags.quiet);
  const files = createMultiplexer(written, warn);
  const { interruptions, enterTeardown } = listenForSignals(warn);
  const loaded = await load(warn);
  const folder = userRecordingFolder();
  void mentionLeftovers(folder, warn).catch(() => undefined);
  void removeDeadBundles(loaded.source).catch(() => undefined);
  const recording = new RecordingFile(folder, warn);
  try {
    const result = await executeRun({
      loaded,
      options,
      file,
      launch: options.workers === 0 ? (await import("../worker/launch-here.ts")).launchHere : launchThread,
      isStrictGenerator: flags.strictGenerator,
      interruptions,
      observer: { ...observe(summary, warn), onTeardown: enterTeardown },
      recorder: recording,
    });
    const told = await reportResult(files, summary, result);
    const { exitCode, isComplete } = told;
    await tellGithub(result, told, { print, warn });
    process.exitCode = exitCode;
    decideExit(exitCode);
    if (isComplete) await recording.remove();
    else await keepRecording(recording, warn);
  } catch (error) {
    if (error instanceof InvalidInput) await recording.remove();
    else await keepRecording(recording, warn);
    throw error;
  } finally {
    loaded.remove();
  }
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
