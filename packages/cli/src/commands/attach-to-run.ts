import { printable } from "@bearhug/sdk/internal";

import { exitCodes } from "../exit-codes.ts";
import { formatPlanned } from "../format/duration.ts";
import { removeRun } from "../kubernetes/change-run.ts";
import type { Kubectl } from "../kubernetes/kubectl.ts";
import { noSuchRun } from "../kubernetes/list-runs.ts";
import type { RunStanding } from "../kubernetes/run-standing.ts";
import { watchRun } from "../kubernetes/watch-run.ts";
import { systemClock } from "../pacing/clock.ts";
import { collectAndReport, type CollectFlags } from "./collect-and-report.ts";
import { onStopSignal } from "./stop-signals.ts";

/**
 * Watches a run until its end and reports it. Ctrl+C ends the watching alone.
 * @param startTimeoutMs a run whose coordinator does not start in this time is removed; null to wait for as long as it takes
 */
export async function attachToRun(
  kubectl: Kubectl,
  run: string,
  flags: CollectFlags,
  startTimeoutMs: number | null = null,
): Promise<void> {
  const controller = new AbortController();
  const stopListening = onStopSignal(() => {
    controller.abort();
  });
  let standing: RunStanding;
  try {
    standing = await watchShown(kubectl, run, controller.signal, startTimeoutMs);
  } finally {
    stopListening();
  }
  const { coordinator, coordinatorProblem } = standing;
  if (coordinator === "absent") throw noSuchRun(run);
  if (coordinator === "ended") {
    await collectAndReport(kubectl, run, flags);
    tell(`The pods of ${run} and their logs stay for a day. To remove them: bearhug k8s stop ${run}`);
    return;
  }
  if (!controller.signal.aborted) {
    await removeRun(kubectl, run);
    const within = formatPlanned(startTimeoutMs ?? 0);
    tell(`the coordinator of ${run} did not start within ${within} (--join-timeout): no load was applied.`);
    if (coordinatorProblem !== null) tell(coordinatorProblem);
    tell(`${run} was removed from the cluster.`);
    process.exitCode = exitCodes.workerLost;
    return;
  }
  tell(
    `${run} goes on without you. Watch it again: bearhug k8s attach ${run}   End it: bearhug k8s stop ${run}`,
  );
  process.exitCode = exitCodes.interrupted;
}

/** Watches a run, and shows what happens on stderr. */
export function watchShown(
  kubectl: Kubectl,
  run: string,
  signal: AbortSignal,
  startTimeoutMs: number | null = null,
): Promise<RunStanding> {
  const wait = (ms: number): Promise<void> => waitFor(ms, signal);
  return watchRun(kubectl, run, { tell, log: showLine, wait, signal, startTimeoutMs });
}

function tell(text: string): void {
  showLine(`bearhug: ${text}`);
}

function showLine(line: string): void {
  process.stderr.write(`${printable(line)}\n`);
}

function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      cancel();
      signal.removeEventListener("abort", end);
      resolve();
    };
    const cancel = systemClock.at(systemClock.now() + ms, end);
    signal.addEventListener("abort", end);
    if (signal.aborted) end();
  });
}
