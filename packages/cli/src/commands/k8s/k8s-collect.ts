import type { Command } from "commander";

import { collectAndReport, createCollectCommand } from "./collect-and-report.ts";
import { kubectlOf } from "./k8s-options.ts";

export function createCommand(): Command {
  return createCollectCommand(
    "k8s collect",
    "report a run that has ended, from the logs of its pods",
    (run, flags) => collectAndReport(kubectlOf(flags), run, flags),
  );
}
