import { setTimeout as delay } from "node:timers/promises";

import { exitCodes } from "@bearhug/metrics/results/exit-codes";
import { formatPlanned } from "@bearhug/text/duration";

import { removeRun } from "../../kubernetes/change-run.ts";
import type { Kubectl } from "../../kubernetes/kubectl.ts";
import { noSuchRun } from "../../kubernetes/list-runs.ts";
import { selectorOf } from "../../kubernetes/run-names.ts";
import type { RunStanding } from "../../kubernetes/run-standing.ts";
import { watchRun } from "../../kubernetes/watch-run.ts";
import { collectAndReport, type CollectFlags } from "./collect-and-report.ts";
import { onStopSignal } from "../stop-signals.ts";
import { printMessage, warn } from "../warn.ts";

/**
 * Watches a run until it ends, and reports it. Ctrl+C ends only the watching, as does a coordinator that does
 * not start within the join timeout.
 * @param isOwn true if this command created the run, and so removes it if the coordinator does not start
 */
export async function attachToRun(
  kubectl: Kubectl,
  run: string,
  flags: CollectFlags,
  isOwn = false,
): Promise<void> {
  const controller = new AbortController();
  const stopListening = onStopSignal(() => controller.abort());
  let standing: RunStanding;
  try {
    standing = await watchShown(kubectl, run, controller.signal, true);
  } finally {
    stopListening();
  }
  const { coordinator } = standing;
  if (coordinator === "absent") throw noSuchRun(run);
  if (coordinator === "ended") {
    await collectAndReport(kubectl, run, flags);
    printMessage(`The pods of ${run} and their logs stay for a day. To remove them: bearhug k8s stop ${run}`);
    return;
  }
  if (!controller.signal.aborted) {
    await reportUnstarted(kubectl, run, standing, isOwn);
    return;
  }
  printMessage(
    `${run} goes on without you. Watch it again: bearhug k8s attach ${run}   End it: bearhug k8s stop ${run}`,
  );
  process.exitCode = exitCodes.interrupted;
}

/** Reports why the coordinator did not start in time. */
async function reportUnstarted(
  kubectl: Kubectl,
  run: string,
  { joinTimeoutMs, coordinatorProblem }: RunStanding,
  isOwn: boolean,
): Promise<void> {
  if (isOwn) await removeRun(kubectl, run);
  const within = formatPlanned(joinTimeoutMs ?? 0);
  printMessage(
    `the coordinator of ${run} did not start within ${within} (--join-timeout): no load was applied.`,
  );
  const unknown = `Kubernetes reports no reason. See: kubectl describe pods --selector ${selectorOf(run)}`;
  printMessage(coordinatorProblem ?? unknown);
  printMessage(
    isOwn
      ? `${run} was removed from the cluster.`
      : `${run} still waits for it. Remove the run: bearhug k8s stop ${run}`,
  );
  process.exitCode = exitCodes.workerLost;
}

/** Watches a run, and prints its events to stderr. */
export function watchShown(
  kubectl: Kubectl,
  run: string,
  signal: AbortSignal,
  hasStartTimeout = false,
): Promise<RunStanding> {
  const wait = (ms: number): Promise<void> => delay(ms, undefined, { signal }).catch(() => undefined);
  return watchRun(kubectl, run, { print: printMessage, log: warn, wait, signal, hasStartTimeout });
}
