import { createStyle } from "@bearhug/report/terminal/style";
import { printableLines } from "@bearhug/text/as-lines";
import { describeTerminal } from "@bearhug/text/terminal";
import { Command } from "commander";

import { listRuns } from "../../kubernetes/list-runs.ts";
import { describeAgents } from "../../kubernetes/run-standing.ts";
import { addClusterOptions, kubectlOf, type ClusterFlags } from "./k8s-options.ts";

export function createCommand(): Command {
  return addClusterOptions(new Command("k8s list").description("list the runs in a namespace")).action(list);
}

async function list(flags: ClusterFlags): Promise<void> {
  const runs = await listRuns(kubectlOf(flags));
  if (runs.length === 0) {
    process.stdout.write("There are no runs in this namespace.\n");
    return;
  }
  const { text, table } = createStyle(describeTerminal(process.stdout));
  const lines = table(
    [{ title: "run", shrinks: true }, { title: "created" }, { title: "agents" }, { title: "coordinator" }],
    runs.map(({ name, createdAt, standing }) => [
      text(name),
      text(createdAt),
      describeAgents(standing),
      standing.coordinator,
    ]),
  );
  process.stdout.write(printableLines(lines));
}
