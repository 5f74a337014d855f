import type { Command } from "commander";

import { attachToRun } from "./attach-to-run.ts";
import { createCollectCommand } from "./collect-and-report.ts";
import { kubectlOf } from "./k8s-options.ts";

export function createCommand(): Command {
  return createCollectCommand("k8s attach", "watch a run until its end, and report it", (run, flags) =>
    attachToRun(kubectlOf(flags), run, flags),
  );
}
