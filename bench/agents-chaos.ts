// Do runs with agents end well, whatever happens to their network and machines? Runs seeded plans in network
// namespaces: links between agents and coordinator are cut and slowed, agents and the coordinator are killed,
// and the coordinator is restarted. Totals must balance and agree with the server's own count, losses must be
// reported, orphans must end their load, and nothing may hang.
// Linux, root and iproute2: `sudo node bench/agents-chaos.ts [RUNS] [FIRST SEED] [AT ONCE]`
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { planAgents } from "./agents/chaos-plan.ts";
import { runChaos } from "./agents/chaos-run.ts";
import { judgeChaos } from "./agents/judge-chaos.ts";
import { randomSource } from "../packages/plan/src/pacing/random-source.ts";

const [runs = 100, firstSeed = 1, atOnce = 3] = process.argv.slice(2).map(Number);
const parent = mkdtempSync(join(tmpdir(), "bearhug-agents-chaos-"));
const exits = new Map<string, number>();
let failures = 0;
let next = firstSeed;

async function runOne(seed: number): Promise<void> {
  const plan = planAgents(seed, randomSource(seed, 19));
  const folder = join(parent, String(seed));
  const outcome = await runChaos(plan, folder, `bh${process.pid}-${seed}`).catch((error: unknown) =>
    String(error),
  );
  const problems = typeof outcome === "string" ? [outcome] : judgeChaos(plan, outcome);
  const code = typeof outcome === "string" ? "none" : String(outcome.exitCodes.coordinator ?? "killed");
  exits.set(code, (exits.get(code) ?? 0) + 1);
  const mishaps = plan.mishaps.map(({ kind }) => kind).join(", ") || "no mishap";
  const message = typeof outcome === "string" ? "" : (outcome.result?.messages[0] ?? "");
  console.log(`seed ${seed}: ${plan.agents} agents, ${mishaps}: ${code} ${message}`);
  for (const problem of problems) console.log(`  FAILED: ${problem}`);
  if (problems.length === 0) rmSync(folder, { recursive: true });
  else failures++;
}

async function work(): Promise<void> {
  while (next < firstSeed + runs) await runOne(next++);
}

await Promise.all(Array.from({ length: atOnce }, work));
const codes = [...exits].map(([code, count]) => `${count} × ${code}`).join(", ");
console.log(`${runs} runs, ${failures} failed; exit codes of the coordinator: ${codes}`);
if (failures > 0) {
  console.log(`logs: ${parent}`);
  process.exitCode = 1;
} else rmSync(parent, { recursive: true });
