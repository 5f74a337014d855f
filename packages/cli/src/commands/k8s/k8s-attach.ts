import type { Command } from "commander";

import { attachToRun } from "./attach-to-run.ts";
import { createCollectCommand, type CollectFlags } from "./collect-and-report.ts";
import { kubectlOf, type ClusterFlags } from "./k8s-options.ts";

export { findCollectProblems as findProblems } from "./collect-and-report.ts";

export function createCommand(): Command {
  return createCollectCommand("k8s attach", "watch a run until its end, and report it").action(
    (name: string, flags: CollectFlags & ClusterFlags) => attachToRun(kubectlOf(flags), name, flags),
  );
}
