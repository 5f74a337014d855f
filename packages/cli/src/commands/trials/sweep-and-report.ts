import { hash } from "node:crypto";
import { readFileSync } from "node:fs";

import { readMachineLimits } from "@bearhug/engine/health/machine-limits";
import { requireOpenFilesFor } from "@bearhug/engine/health/plan-fit";
import type { Interruptions } from "@bearhug/engine/run/interruptions";
import { loadUrl, type LoadedTest } from "@bearhug/engine/run/load-test";
import { conductSweep, type SweepStep } from "@bearhug/engine/trials/sweep/conduct-sweep";
import type { LadderTarget, SweepPlan, SweepState } from "@bearhug/engine/trials/sweep/ladders";
import { mergeLoads, createSweep, resumeSweep } from "@bearhug/engine/trials/sweep/resume-sweep";
import { createTrials } from "@bearhug/engine/trials/trial";
import { formatLoad } from "@bearhug/metrics/results/load";
import type { UrlRequest } from "@bearhug/plan/protocol/definition-source";
import type { RunOptions } from "@bearhug/plan/test-file/run-options";
import { createReporters, outKindOf } from "@bearhug/report/index";
import { createMultiplexer } from "@bearhug/report/multiplexer";
import { writesToStdout } from "@bearhug/report/write-report";
import { InvalidInput } from "@bearhug/sdk";
import { formatDuration, formatPlanned } from "@bearhug/text/duration";
import { formatRate } from "@bearhug/text/number";
import { formatPercent } from "@bearhug/text/percent";

import { launcherFor } from "../../run/launcher-for.ts";
import { listenForSignals } from "../stop-signals.ts";
import { loadFile } from "../run/load-file.ts";
import { openTerminal, type OpenTerminal } from "../open-terminal.ts";
import { reportResult } from "../report/report-result.ts";
import { readResult } from "../report/report.ts";
import { reportToGithub } from "../report/report-to-github.ts";
import type { SweepLoads } from "./sweep-loads.ts";
import { createWarnOnce } from "../warn-once.ts";

/** One target of a sweep: URLs, or the test on one site. */
export interface SweepSubject {
  readonly name: string;
  /** Null: the test's own address. */
  readonly address: string | null;
  /** Null for a test. */
  readonly requests: readonly UrlRequest[] | null;
  /** The site that replaces the test's; null to keep it. */
  readonly target: URL | null;
}

/** The parsed request for a sweep. */
export interface SweepRequest extends SweepLoads {
  readonly settleMs: number;
  readonly measureMs: number;
  readonly subjects: readonly SweepSubject[];
  /** The test's file; null for URLs. */
  readonly file: string | null;
  readonly options: RunOptions;
  readonly out: readonly string[];
  readonly flags: { readonly quiet: boolean };
  /** The path of the sweep's result to continue; null for a new sweep. */
  readonly resume: string | null;
}

/**
 * Conducts a sweep: a line for each step on stderr, the summary on stdout, reports to files. Sets the exit
 * code. JSON reports are also written after each step, so that a sweep that is cut short keeps its steps and
 * can be resumed.
 */
export async function sweepAndReport(request: SweepRequest): Promise<void> {
  const { out, flags, loads: requestedLoads } = request;
  const terminal = openTerminal(flags.quiet ? "none" : "live", out);
  const { summary, warn, print } = terminal;
  const { interruptions } = listenForSignals(warn);
  const loaded = await loadSubjects(request, warn);
  try {
    const plan = await planSweep(request, loaded, interruptions, terminal);
    const earlier = request.resume === null ? createSweep(plan) : await resume(plan, request.resume);
    const loads = mergeLoads(requestedLoads, earlier);
    if (request.loadUnit === "connections") requireConnections(Math.max(...loads), request.options);
    const warnOnce = createWarnOnce(warn);
    const isSaved = (text: string): boolean => outKindOf(text) === "json" && !writesToStdout([text]);
    const saved = createMultiplexer(createReporters(out.filter(isSaved)), warnOnce);
    const note = flags.quiet ? () => undefined : warn;
    note(describePlan(plan, loads.length));
    const result = await conductSweep({ ...plan, loads }, earlier, {
      interruptions,
      onBegin: (step) => terminal.announce(describeBeginning(step, { ...plan, loads })),
      onStep: async (step) => {
        note(describeStep(step, plan));
        await saved.onEnd(step.document);
      },
    });
    const reported = await reportResult(createMultiplexer(createReporters(out), warnOnce), summary, result);
    await reportToGithub(reported, { print, warn });
  } finally {
    terminal.close();
    for (const one of loaded) one.remove();
  }
}

/**
 * Checks the limits before the first step: otherwise the last one could fail hours later. @throws
 * {InvalidInput}
 */
function requireConnections(connections: number, { workers }: RunOptions): void {
  requireOpenFilesFor({ vus: connections, connections, workers: workers ?? 1 }, readMachineLimits());
}

/** Loads the subjects; a test is loaded once for all its targets. */
function loadSubjects(
  { file, subjects, options }: SweepRequest,
  warn: (text: string) => void,
): Promise<LoadedTest[]> {
  if (file === null) {
    return Promise.resolve(
      subjects.flatMap(({ requests }) => (requests === null ? [] : [loadUrl(...requests)])),
    );
  }
  return loadFile(file, options, warn).then((test) => [test]);
}

async function planSweep(
  { subjects, file, options, ...plan }: SweepRequest,
  loaded: readonly LoadedTest[],
  interruptions: Interruptions,
  { trials: observer }: OpenTerminal,
): Promise<SweepPlan> {
  const targets: LadderTarget[] = [];
  for (const [index, { name, address, target }] of subjects.entries()) {
    const test = loaded[file === null ? index : 0];
    if (test === undefined) continue;
    const runTrial = createTrials({
      loaded: test,
      options: { ...options, target },
      interruptions,
      observer,
      launch: await launcherFor(test, options.workers),
    });
    targets.push({ name, address, runTrial });
  }
  const { loadUnit, loads, settleMs, measureMs } = plan;
  const conditions = describeConditions(loaded, options);
  return { loadUnit, loads, settleMs, measureMs, conditions, seed: options.seed, targets };
}

/** @throws {InvalidInput} */
async function resume(plan: SweepPlan, path: string): Promise<SweepState> {
  const earlier = await readResult(path).catch((error: unknown) => {
    if (!(error instanceof InvalidInput)) throw error;
    throw new InvalidInput(
      error.problems.map((problem) => `--resume: ${problem}`),
      { cause: error },
    );
  });
  const state = resumeSweep(plan, earlier);
  if ("ladders" in state) return state;
  throw new InvalidInput(state.map((problem) => `--resume ${path}: ${problem}`));
}

function describePlan({ targets, settleMs, measureMs }: SweepPlan, loads: number): string {
  const steps = loads * targets.length;
  const each =
    settleMs === 0 ? formatPlanned(measureMs) : `${formatPlanned(settleMs)} + ${formatPlanned(measureMs)}`;
  return `${steps} step${steps === 1 ? "" : "s"} of ${each}: at most about ${formatPlanned(steps * (settleMs + measureMs))}`;
}

function describeBeginning(
  { target, load, number }: { readonly target: LadderTarget; readonly load: number; readonly number: number },
  { loadUnit, loads, targets }: SweepPlan,
): string {
  const name = targets.length > 1 ? `${target.name}, ` : "";
  return `step ${number} of ${loads.length * targets.length}: ${name}${formatLoad(load, loadUnit)}`;
}

function describeStep({ target, load, figures }: SweepStep, { loadUnit, targets }: SweepPlan): string {
  const { rate, times, failedShare, generator } = figures;
  const name = targets.length > 1 ? `${target.name}, ` : "";
  const latency =
    times === null ? [] : [`p50 ${formatDuration(times.p50)}`, `p99 ${formatDuration(times.p99)}`];
  const facts = [formatRate(rate), ...latency, `${formatPercent(failedShare)} failed`];
  const health = generator.verdict === "healthy" ? [] : [`generator ${generator.verdict}`];
  return `${name}${formatLoad(load, loadUnit)}: ${[...facts, ...health].join(", ")}`;
}

/**
 * Returns fingerprints of everything but addresses that the steps of a sweep share. They are too short to
 * test guesses of secrets against them.
 */
export function describeConditions(
  loaded: readonly LoadedTest[],
  { env, envFile, http, scenarios, arrivals, maxDataBytes }: RunOptions,
): Record<string, string> {
  const [first] = loaded;
  const options = fingerprint([http, scenarios, arrivals, maxDataBytes]);
  if (first?.source.kind === "module")
    return {
      "test file": fingerprint(readFileSync(first.source.bundlePath, "utf8")),
      variables: fingerprint([envFile, env]),
      options,
    };
  const requests = loaded.flatMap(({ source }) => (source.kind === "url" ? source.requests : []));
  return {
    method: fingerprint(requests.map(({ method }) => method)),
    headers: fingerprint(requests.map(({ headers }) => headers)),
    body: fingerprint(requests.map(({ body }) => body && hash("sha256", body))),
    URLs: fingerprint(requests.map(({ url, weight }) => [url, weight])),
    options,
  };
}

function fingerprint(value: unknown): string {
  return hash("sha256", JSON.stringify(value)).slice(0, 8);
}
