import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

import { checkParts } from "@bearhug/engine/outcome/merge/check-parts";
import { mergeRuns } from "@bearhug/engine/outcome/merge/merge-runs";
import type { Part } from "@bearhug/engine/outcome/merge/part";
import { readRecording } from "@bearhug/engine/recording/read-recording";
import { exitCodes, type ExitCode, readExitCode } from "@bearhug/metrics/results/exit-codes";
import { makeTemporaryFolder } from "@bearhug/plan/test-file/run-folders";
import { createMultiplexer } from "@bearhug/report/multiplexer";
import { InvalidInput, type TestResult } from "@bearhug/sdk";
import { Command } from "commander";

import { switchOption } from "../options.ts";
import { collectRecordings, collectResult, type CollectedRecording } from "../../kubernetes/collect-run.ts";
import type { Kubectl } from "../../kubernetes/kubectl.ts";
import { noSuchRun } from "../../kubernetes/list-runs.ts";
import { addClusterOptions, type ClusterFlags } from "./k8s-options.ts";
import { jsonOutOption, latencyOption } from "../load-options.ts";
import {
  createMergedReporters,
  findMergedReportProblems,
  mergedReportsOption,
} from "../report/merged-reports.ts";
import { addAction } from "../reading.ts";
import { openTerminal } from "../open-terminal.ts";
import { parseSaved } from "../report/report.ts";
import { reportResult } from "../report/report-result.ts";

export interface CollectFlags {
  readonly out: readonly string[];
  readonly latency: boolean;
  readonly allowPartial: boolean;
}

/** Returns a command that reports a run in a cluster. */
export function createCollectCommand(
  name: string,
  description: string,
  work: (run: string, flags: CollectFlags & ClusterFlags) => Promise<void>,
): Command {
  const command = new Command(name)
    .description(description)
    .argument("<name>", "the run, as bearhug k8s list shows it");
  addClusterOptions(command)
    .addOption(mergedReportsOption())
    .addOption(jsonOutOption())
    .addOption(
      switchOption("--allow-partial", "do not fail if the recording of an agent is missing").helpGroup(
        "Several machines:",
      ),
    )
    .addOption(latencyOption());
  return addAction(command, readRun, work);
}

function readRun([run = ""]: readonly string[], { out }: CollectFlags, problems: string[]): string {
  problems.push(...findMergedReportProblems(out, []));
  return run;
}

/**
 * Reports a run that has ended, and sets the exit code. @throws {InvalidInput} if it does not exist or is
 * still running
 */
export async function collectAndReport(kubectl: Kubectl, run: string, flags: CollectFlags): Promise<void> {
  const reporters = createMergedReporters(flags.out, []);
  const { summary, warn } = openTerminal("none", flags.out, { hasLatency: flags.latency });
  const { allowPartial: allowsPartial } = flags;
  const collected = await collectRun(kubectl, run, { warn, allowsPartial });
  if (!("schema" in collected)) {
    warn(`Neither the coordinator of ${run} nor its agents left a result in their logs.`);
    process.exitCode = collected.exitCode;
    return;
  }
  await reportResult(createMultiplexer(reporters, warn), summary, collected);
}

interface Collecting {
  readonly warn: (text: string) => void;
  readonly allowsPartial: boolean;
}

/** A run that left no result. */
interface NothingCollected {
  /** The exit code of the coordinator. */
  readonly exitCode: ExitCode;
}

/**
 * Returns the coordinator's result; if it is absent or lacks an agent's records, a result made of the agents'
 * logs.
 */
async function collectRun(
  kubectl: Kubectl,
  run: string,
  { warn, allowsPartial }: Collecting,
): Promise<TestResult | NothingCollected> {
  const { standing, result: text, exitCode } = await collectResult(kubectl, run);
  const result = text === null ? null : parseSaved(`The result of ${run}`, text);
  if (result !== null && result.exitCode !== exitCodes.workerLost) return result;
  if (result === null && standing.coordinator === "absent") throw noSuchRun(run);
  if (result === null && standing.coordinator !== "ended" && standing.running > 0)
    throw new InvalidInput([`${run} still runs. Watch it with: bearhug k8s attach ${run}`]);
  const { recordings, problems } = await collectRecordings(kubectl, run);
  for (const problem of problems) warn(problem);
  const isWorse = recordings.length < standing.agents && result !== null;
  const merged = isWorse ? null : await merge(recordings, allowsPartial);
  if (merged !== null) {
    warn(
      `Rebuilt the result from the recordings in the logs of ${recordings.length} of ${standing.agents} agents.`,
    );
    return merged;
  }
  if (result !== null) return result;
  // A coordinator that passed would have left a result.
  const known = readExitCode(exitCode ?? exitCodes.passed);
  return { exitCode: known === null || known === exitCodes.passed ? exitCodes.workerLost : known };
}

/** Merges recordings like `bearhug merge`; null if there are none, or they do not belong together. */
async function merge(
  recordings: readonly CollectedRecording[],
  allowsPartial: boolean,
): Promise<TestResult | null> {
  const folder = await makeTemporaryFolder("bearhug-collect-");
  try {
    const { parts, refusals, gaps } = checkParts(await openParts(recordings, folder));
    const [first, ...others] = parts;
    if (first === undefined || refusals.length > 0) return null;
    return await mergeRuns([first, ...others], { allowsPartial, gaps });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function openParts(recordings: readonly CollectedRecording[], folder: string): Promise<Part[]> {
  const parts: Part[] = [];
  for (const { shard, content } of recordings) {
    const path = join(folder, `${shard}.bearhug`);
    await writeFile(path, gzipSync(content));
    const { head, moments } = await readRecording(path);
    parts.push({ name: `the recording of agent ${shard}`, run: head.run, moments });
  }
  return parts;
}
