import type { TestResult } from "@bearhug/sdk";
import type { CapacityResult } from "@bearhug/sdk/internal";

import { exitCodes } from "../exit-codes.ts";
import { describeTerminal } from "../format/terminal.ts";
import { systemClock } from "../pacing/clock.ts";
import { openReporters } from "../reporter-thread/open-reporter.ts";
import {
  describeAnswer,
  describeGenerators,
  describeProgress,
  describeStep,
} from "../reporters/capacity-words.ts";
import { createReporters, isOwnReporter } from "../reporters/index.ts";
import { createMultiplexer } from "../reporters/multiplexer.ts";
import { launcherFor } from "../run/launcher-for.ts";
import type { Objective } from "../trials/capacity/objective.ts";
import { searchCapacity, type CapacityRun } from "../trials/capacity/search-capacity.ts";
import { createTrials } from "../trials/trial.ts";
import { decideExit } from "../worker/exit-guard.ts";
import type { CapacityRequest } from "./capacity-request.ts";
import { listenForSignals } from "./listen-for-signals.ts";
import type { LoadFlags } from "./load-options.ts";
import { openTerminal } from "./open-terminal.ts";
import { reportResult } from "./report-result.ts";
import { tellGithub } from "./tell-github.ts";
import { createOnce } from "./warn-once.ts";

/** Searches the capacity and tells it: each trial on stderr, the answer on stdout, reports to files; sets the exit code. */
export async function searchAndReport(request: CapacityRequest, flags: LoadFlags): Promise<void> {
  const { summary, warn, print } = openTerminal(false);
  const { interruptions } = listenForSignals(warn);
  const loaded = await request.load(warn);
  const own = await openReporters(flags.out.filter(isOwnReporter), warn);
  try {
    const files = createMultiplexer(createReporters(flags.out, [], { own }), warn);
    const runTrial = createTrials({
      loaded,
      options: request.options,
      file: request.file,
      launch:
        request.options.workers === 0
          ? (await import("../worker/launch-here.ts")).launchHere
          : await launcherFor(loaded.source),
      isStrictGenerator: false,
      interruptions,
      observer: {
        onLog: ({ text, from }) => {
          warn(`${text}  (${from})`);
        },
        onWarning: createOnce(warn),
      },
    });
    const run = await searchCapacity({
      plan: { ...request, isWhole: request.unit === "vus", firstLoad: request.atLeast },
      unit: request.unit,
      seed: request.options.seed,
      runTrial,
      now: () => systemClock.now(),
      observer: observe(request, flags, print),
    });
    const result = composeResult(run, request);
    const told = await reportResult(files, summary, result);
    await tellGithub(result, told, { print, warn });
    process.exitCode = told.exitCode;
    decideExit(told.exitCode);
  } finally {
    await Promise.all(own.map((reporter) => reporter.close()));
    loaded.remove();
  }
}

function observe(
  { unit, budgetMs }: CapacityRequest,
  { quiet }: LoadFlags,
  print: (line: string) => void,
): Parameters<typeof searchCapacity>[0]["observer"] {
  if (quiet) return { onStep: () => undefined, onTrial: () => undefined };
  const { isLive } = describeTerminal(process.stderr, process.env);
  return {
    onStep: (step) => {
      if (isLive) print(describeStep(step, unit));
    },
    onTrial: (trial, bounds, spentMs) => {
      print(describeProgress(trial, { ...bounds, unit, spentMs, budgetMs }));
    },
  };
}

/** The document: the run on which the answer rests, with the search and its verdict. */
function composeResult(
  { capacity: found, result, isCutShort }: CapacityRun,
  { objectives, added, atLeast }: CapacityRequest,
): TestResult {
  const capacity: CapacityResult = {
    ...found,
    atLeast,
    objectives: objectives.map(({ text, judges, bound }: Objective, index) => ({
      ...{ text, judges, bound },
      isOwn: index < objectives.length - added,
    })),
  };
  if (isCutShort) return { ...result, thresholds: [], capacity };
  const shortfall = describeShortfall(capacity);
  return {
    ...result,
    thresholds: [],
    verdict: shortfall === null ? "passed" : "failed",
    exitCode: shortfall === null ? exitCodes.passed : exitCodes.thresholdsFailed,
    messages: shortfall === null ? [] : [shortfall],
    notes: [describeAnswer(capacity), ...describeGenerators(capacity)],
    capacity,
  };
}

/** A sentence for a capacity that is not shown to be what was asked for; null for one that is. */
function describeShortfall({ atLeast, low, unit }: CapacityResult): string | null {
  if (atLeast === null || (low ?? 0) >= atLeast) return null;
  const wanted = unit === "vus" ? `${atLeast} virtual users` : `${atLeast}/s`;
  return `the capacity is not shown to be at least ${wanted}`;
}
