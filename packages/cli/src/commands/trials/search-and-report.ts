import type { RunRequest } from "@bearhug/engine/run/run-request";
import { searchCapacity, type CapacityObserver } from "@bearhug/engine/trials/capacity/search-capacity";
import { runOverload, overloadBaseRate } from "@bearhug/engine/trials/run-overload";
import { createTrials } from "@bearhug/engine/trials/trial";
import { systemClock } from "@bearhug/plan/pacing/clock";
import { createReporters, isOwnReporter } from "@bearhug/report/index";
import {
  announceOverload,
  describeProgress,
  describeBracketAndTime,
  describeStep,
} from "@bearhug/report/model/capacity";
import { createMultiplexer } from "@bearhug/report/multiplexer";
import type { TestResult } from "@bearhug/sdk";

import { openReporters } from "../../reporter-thread/open-reporters.ts";
import { launcherFor } from "../../run/launcher-for.ts";
import type { CapacityRequest } from "./capacity-request.ts";
import { addOverload, composeSearch } from "./compose-search.ts";
import { listenForSignals } from "../stop-signals.ts";
import type { LoadFlags } from "../load-options.ts";
import { openTerminal, type OpenTerminal } from "../open-terminal.ts";
import { reportResult } from "../report/report-result.ts";
import { reportToGithub } from "../report/report-to-github.ts";

/**
 * Searches the capacity and reports it: each trial on stderr, the answer on stdout, reports to files. Sets
 * the exit code.
 */
export async function searchAndReport(request: CapacityRequest, flags: LoadFlags): Promise<void> {
  const terminal = openTerminal(flags.quiet ? "none" : "live", flags.out);
  const { summary, warn, print } = terminal;
  const { interruptions, enterReports } = listenForSignals(warn);
  const loaded = await request.load(warn);
  const beside = await openReporters({ files: flags.out.filter(isOwnReporter) }, warn);
  try {
    const files = createMultiplexer(createReporters(flags.out, [], { own: beside.own }), warn);
    const trial: Omit<RunRequest, "recorder"> = {
      loaded,
      options: request.options,
      launch: await launcherFor(loaded, request.options.workers),
      interruptions,
      observer: terminal.trials,
    };
    const run = await searchCapacity({
      plan: { ...request, isWhole: request.unit === "vus", firstLoad: request.atLeast },
      unit: request.unit,
      seed: request.options.seed,
      runTrial: createTrials(trial),
      now: () => systemClock.now(),
      observer: flags.quiet ? silent : observe(request, terminal),
    });
    const found = composeSearch(run, request, interruptions.signal);
    terminal.announce(null);
    const result = run.isCutShort
      ? found
      : await addRequestedOverload(found, trial, request, flags.quiet ? null : print);
    enterReports(() => beside.stopWaiting());
    const reported = await reportResult(files, summary, result);
    await reportToGithub(reported, { print, warn });
  } finally {
    terminal.close();
    await beside.close();
    loaded.remove();
  }
}

/** Runs the overload after a search, if requested, and adds it to the result. */
async function addRequestedOverload(
  found: TestResult,
  trial: Omit<RunRequest, "recorder">,
  { overload: factor }: CapacityRequest,
  print: ((line: string) => void) | null,
): Promise<TestResult> {
  const rate = found.capacity === undefined ? null : overloadBaseRate(found.capacity);
  if (factor === null || rate === null) return found;
  print?.(announceOverload({ rate, factor }));
  const overloadRun = await runOverload(trial, { rate, factor });
  return addOverload(found, overloadRun, trial.interruptions.signal);
}

const silent: CapacityObserver = { onStep: () => undefined, onTrial: () => undefined };

/** Prints a line for each trial that has ended; the live view shows the current one. */
function observe({ unit, budgetMs }: CapacityRequest, { print, announce }: OpenTerminal): CapacityObserver {
  let number = 0;
  let standing = "";
  return {
    onStep: (step) => {
      number++;
      announce(`trial ${number}: ${describeStep(step, unit)}${standing}`);
    },
    onTrial: (trial, bounds, spentMs) => {
      const progress = { ...bounds, unit, spentMs, budgetMs };
      standing = `; ${describeBracketAndTime(progress)}`;
      print(describeProgress(trial, progress));
    },
  };
}
