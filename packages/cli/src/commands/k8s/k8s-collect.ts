import type { Command } from "commander";

import { collectAndReport, createCollectCommand, type CollectFlags } from "./collect-and-report.ts";
import { kubectlOf, type ClusterFlags } from "./k8s-options.ts";

export { findCollectProblems as findProblems } from "./collect-and-report.ts";

export function createCommand(): Command {
  return createCollectCommand("k8s collect", "report a run that has ended, from the logs of its pods").action(
    (name: string, flags: CollectFlags & ClusterFlags) => collectAndReport(kubectlOf(flags), name, flags),
  );
}
