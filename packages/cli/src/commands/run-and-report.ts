import { availableParallelism } from "node:os";

import type { SourcePosition, ValidatedTest } from "@bearhug/sdk/internal";

import { builtInClients } from "../clients/built-in-clients.ts";
import type { ClientKind } from "../clients/client-kind.ts";
import type { RunObserver } from "../coordinator/run-request.ts";
import { conductRun } from "../run/conduct-run.ts";
import { launchThread } from "../coordinator/worker-handle.ts";
import { readMachineLimits } from "../health/machine-limits.ts";
import { InvalidInput } from "../invalid-input.ts";
import { systemClock } from "../pacing/clock.ts";
import type { DefinitionSource } from "../protocol/definition-source.ts";
import type { BundlePosition } from "../metrics/error-log.ts";
import { RecordingFile } from "../recording/recording-file.ts";
import { decideExit } from "../worker/exit-guard.ts";
import { createReporters } from "../reporters/index.ts";
import { createMultiplexer, type Multiplexer } from "../reporters/multiplexer.ts";
import { givenVariables, makePlan, type PlannedRun, type Surroundings } from "../test-file/make-plan.ts";
import { secretsByName } from "../test-file/read-env.ts";
import type { LocatedSource } from "../test-file/source-lines.ts";
import type { RunOptions } from "../test-file/run-options.ts";
import { removeDeadBundles } from "./dead-bundles.ts";
import { listenForSignals } from "./listen-for-signals.ts";
import type { LoadFlags } from "./load-options.ts";
import { openTerminal } from "./open-terminal.ts";
import { keepRecording, mentionLeftovers, userRecordingFolder } from "./recordings.ts";
import { reportResult } from "./report-result.ts";
import { tellGithub } from "./tell-github.ts";

/** A test on its way to the workers. */
export interface LoadedTest {
  readonly source: DefinitionSource;
  /** What the test is called when it has no name of its own. */
  readonly fallbackName: string;
  /** Where its variables may come from, besides the command line. */
  readonly environment: Surroundings["environment"];
  readonly locate: (position: BundlePosition) => LocatedSource | null;
  readonly locateThreshold: (key: string, expression: string) => SourcePosition | null;
  /** Removes what was written for the run. */
  readonly remove: () => void;
}

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
    const result = await conductRun({
      source: loaded.source,
      clients: builtInClients,
      launch: options.workers === 0 ? (await import("../worker/launch-here.ts")).launchHere : launchThread,
      clock: systemClock,
      // A copy: the environment itself cannot be sent to a thread.
      variables: givenVariables(options, { environment: { ...loaded.environment } }),
      plan: planner(options, loaded),
      file,
      knownSecrets: [...secretsByName(process.env), ...secretsByName({ ...options.envFile, ...options.env })],
      isStrictGenerator: flags.strictGenerator,
      limits: readMachineLimits(),
      linkBitsPerSecond: options.linkBitsPerSecond,
      locate: loaded.locate,
      locateThreshold: loaded.locateThreshold,
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

function planner(
  options: RunOptions,
  { environment, fallbackName }: LoadedTest,
): (test: ValidatedTest, clients: readonly ClientKind[]) => PlannedRun {
  const surroundings = { environment, cores: availableParallelism(), fallbackName };
  return (test, clients) => makePlan(test, options, { ...surroundings, clients });
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
