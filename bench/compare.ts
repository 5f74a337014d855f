// How fast is bearhug compared with other load tools? Runs them in turn on the same servers, client and
// server on a core each, and counts from outside: requests by the server, CPU and memory by the system. `pnpm
// bench --list` names cases and tools; `pnpm bench --minutes 20 --docs` measures for twenty minutes and
// writes docs/performance.md.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";

import { startCaddyTarget } from "./compare/caddy-target.ts";
import { cases, firstSecondName, startCase } from "./compare/cases.ts";
import { canPin, describeMachine, findInstalled, type Installed } from "./compare/installed.ts";
import { startNginxTarget } from "./compare/nginx-target.ts";
import { readOptions, type BenchOptions } from "./compare/options.ts";
import { onCore } from "./compare/pinned-process.ts";
import { planComparison } from "./compare/plan-comparison.ts";
import { runRounds } from "./compare/run-rounds.ts";
import type { TargetServer } from "./compare/servers.ts";
import { tools } from "./compare/tools.ts";
import { readResults, writeDocs, writeResults } from "./compare/write-docs.ts";

const { options, problems } = readOptions(process.argv.slice(2), {
  cases: [...cases.map(({ name }) => name), firstSecondName, startCase.name],
  tools: tools.map(({ id }) => id),
  cores: availableParallelism(),
});
if (problems.length > 0) {
  console.error(problems.join("\n"));
  process.exitCode = 1;
} else if (options.isListing) list();
else if (options.from === null) await compare(options);
else await writeDocs(readResults(options.from));

function list(): void {
  const print = (name: string, title: string): void => console.log(`  ${name.padEnd(20)} ${title}`);
  console.log("Cases (--case):");
  for (const { name, title } of [...cases, startCase]) print(name, title);
  print(firstSecondName, "the first seconds of a run, compared with its steady rate");
  console.log("\nTools (--tool):");
  for (const { id, title } of tools) print(id, title);
}

async function compare(chosen: BenchOptions): Promise<void> {
  if (!canPin()) throw new Error("taskset is not installed: client and server cannot be pinned to cores.");
  const installed = findInstalled(tools);
  if (installed.missing.length > 0) console.log(`Skipped, not installed: ${installed.missing.join(", ")}.`);
  // This process does little, so it shares the server's core.
  execFileSync("taskset", ["--cpu-list", "--pid", String(chosen.serverCore), String(process.pid)]);
  const folder = mkdtempSync(join(tmpdir(), "bearhug-bench-scripts-"));
  process.once("exit", () => rmSync(folder, { recursive: true }));

  const servers = await startServers(installed, onCore(chosen.serverCore));
  const setting = { options: chosen, installed, machine: describeMachine(), servers, folder };
  const { measurements, results } = planComparison(setting);
  try {
    await runRounds(measurements, chosen, async () => writeResults(chosen.out, results()));
  } finally {
    for (const { stop } of servers) await stop();
  }
  console.log(`\nWritten: ${chosen.out}`);
  if (chosen.isWritingDocs) await writeDocs(results());
}

async function startServers(installed: Installed, launcher: readonly string[]): Promise<TargetServer[]> {
  return [
    ...(installed.hasNginx ? [await startNginxTarget(launcher)] : []),
    ...(installed.hasCaddy ? [await startCaddyTarget(launcher)] : []),
  ];
}
