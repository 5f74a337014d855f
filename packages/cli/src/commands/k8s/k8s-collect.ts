import { Command } from "commander";

import {
  addCollectOptions,
  collectAndReport,
  findReportProblems,
  type CollectFlags,
} from "./collect-and-report.ts";
import { addClusterOptions, kubectlOf, type ClusterFlags } from "./k8s-options.ts";

export function createCommand(): Command {
  const command = new Command("k8s collect")
    .description("report a run that has ended, from the logs of its pods")
    .argument("<name>", "the run, as bearhug k8s list shows it");
  return addCollectOptions(addClusterOptions(command)).action(collectNamed);
}

export function findProblems(_names: readonly string[], command: Command): string[] {
  return findReportProblems(command.opts<CollectFlags>().out);
}

async function collectNamed(name: string, flags: CollectFlags & ClusterFlags): Promise<void> {
  await collectAndReport(kubectlOf(flags), name, flags);
}
