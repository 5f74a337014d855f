import { Command } from "commander";

import { attachToRun } from "./attach-to-run.ts";
import { addCollectOptions, findReportProblems, type CollectFlags } from "./collect-and-report.ts";
import { addClusterOptions, kubectlOf, type ClusterFlags } from "./k8s-options.ts";

export function createCommand(): Command {
  const command = new Command("k8s attach")
    .description("watch a run until its end, and report it")
    .argument("<name>", "the run, as bearhug k8s list shows it");
  return addCollectOptions(addClusterOptions(command)).action(attach);
}

export function findProblems(_names: readonly string[], command: Command): string[] {
  return findReportProblems(command.opts<CollectFlags>().out);
}

async function attach(name: string, flags: CollectFlags & ClusterFlags): Promise<void> {
  await attachToRun(kubectlOf(flags), name, flags);
}
