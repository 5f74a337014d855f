import type { Command } from "commander";

import { removeRun, stopAgents } from "../../kubernetes/change-run.ts";
import { noSuchRun, readRun } from "../../kubernetes/list-runs.ts";
import { readStanding } from "../../kubernetes/run-standing.ts";
import { watchShown } from "./attach-to-run.ts";
import { collectAndReport, createCollectCommand, type CollectFlags } from "./collect-and-report.ts";
import { kubectlOf, type ClusterFlags } from "./k8s-options.ts";
import { printMessage } from "../warn.ts";

export function createCommand(): Command {
  return createCollectCommand(
    "k8s stop",
    "end a run gracefully, report it, and remove it from the cluster",
    stop,
  );
}

/** Agents that take longer than this to end are removed anyway. */
const maxWaitMs = 180_000;

async function stop(name: string, flags: CollectFlags & ClusterFlags): Promise<void> {
  const kubectl = kubectlOf(flags);
  const { agents, running, succeeded, failed, coordinator } = readStanding(await readRun(kubectl, name));
  if (coordinator === "absent") throw noSuchRun(name);
  // Until all agents have joined, no load was applied, and there is nothing to report.
  const hasLoad = coordinator === "running" && running + succeeded + failed === agents;
  if (hasLoad) {
    await stopAgents(kubectl, name);
    const { coordinator: end } = await watchShown(kubectl, name, AbortSignal.timeout(maxWaitMs));
    if (end === "ended") await collectAndReport(kubectl, name, flags);
  }
  await removeRun(kubectl, name);
  printMessage(`${name} was removed from the cluster.`);
}
