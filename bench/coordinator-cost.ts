// How much does an agent cost its coordinator? Measures the CPU of `bearhug coordinate`, and the bytes
// between both, for each agent and second. The given number of agents each send the recording of a real shard
// over a TLS socket. `node bench/coordinator-cost.ts 500 20` has 500 agents for 20 seconds. Linux.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

import { launcher } from "./bench-process.ts";
import { sampleProcess, type ProcessSample } from "./process-sample.ts";
import { startQuickServer } from "./quick-server.ts";
import { freePort } from "./server-process.ts";

const [agents = 500, seconds = 20] = process.argv.slice(2).map(Number);
const simulator = fileURLToPath(new URL("agents/simulated-agents.ts", import.meta.url));
const token = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
const folder = mkdtempSync(join(tmpdir(), "bearhug-coordinator-cost-"));
const [test, recording] = [join(folder, "cost.ts"), join(folder, "part.bearhug")];
const environment = { ...process.env, HOME: folder, BEARHUG_TOKEN: token };

const server = await startQuickServer();
try {
  writeFileSync(test, testSource(server.url));
  await recordShard();
  await measure();
} finally {
  await server.stop();
  rmSync(folder, { recursive: true });
}

/**
 * Returns the source of a test with 100 iterations a second for each agent, with three requests and a check.
 */
function testSource(baseUrl: string): string {
  return `import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "${baseUrl}",
  scenarios: {
    visitors: {
      executor: "constant-arrival-rate", rate: ${agents * 100}, duration: "${seconds}s", maxVUs: ${agents * 20},
      exec: async ({ http, check }) => {
        for (const name of ["home", "search", "product"]) {
          const response = await http.get("/" + name, { name });
          check(response, { "is ok": ({ status }) => status === 200 });
          }
      },
    },
  },
  thresholds: { http_req_duration: ["p(95)<10s"] },
});
`;
}

async function recordShard(): Promise<void> {
  const flags = ["--shard", `1/${agents}`, "--workers", "1", "--seed", "1", "--quiet"];
  const child = spawn(
    process.execPath,
    [launcher, "run", test, ...flags, "--out", `recording=${recording}`],
    { stdio: ["ignore", "ignore", "inherit"], env: environment },
  );
  await once(child, "exit");
}

async function measure(): Promise<void> {
  const port = await freePort();
  const flags = ["--agents", String(agents), "--listen", `0.0.0.0:${port}`, "--seed", "1", "--quiet"];
  const coordinator = spawn(process.execPath, [launcher, "coordinate", test, ...flags], {
    stdio: ["ignore", "ignore", "pipe"],
    env: environment,
  });
  const ended = once(coordinator, "exit") as Promise<[number | null]>;
  const sample = (): ProcessSample =>
    sampleProcess(coordinator.pid ?? 0) ?? failed("the coordinator has ended");
  const output = createInterface({ input: coordinator.stderr });
  await new Promise<void>((resolve) => {
    output.on("line", (line) => {
      if (line.includes("bearhug agent --join")) resolve();
    });
  });
  const command = ["--conditions=bearhug-source", simulator, recording, String(agents)];
  const simulated = spawn(process.execPath, [...command, `wss://127.0.0.1:${port}`], {
    stdio: ["ignore", "pipe", "inherit"],
    env: environment,
  });
  const joiningFrom = sample();
  let begun: ProcessSample | null = null;
  let lastLine = "";
  let peakRssMb = 0;
  const watch = setInterval(() => {
    peakRssMb = Math.max(peakRssMb, sampleProcess(coordinator.pid ?? 0)?.rssMb ?? 0);
  }, 250);
  for await (const line of createInterface({ input: simulated.stdout })) {
    if (line === "started") begun = sample();
    else lastLine = line;
  }
  const posted = performance.now();
  const done = sampleProcess(coordinator.pid ?? 0);
  const [exitCode] = await ended;
  clearInterval(watch);
  if (begun === null || done === null) throw new Error("the run never started, or ended before its agents");
  printCost({
    ...(JSON.parse(lastLine) as Traffic),
    peakRssMb,
    exitCode,
    joiningMs: begun.usedMs - joiningFrom.usedMs,
    runningMs: done.usedMs - begun.usedMs,
    toResultMs: performance.now() - posted,
  });
}

/** The figures that the simulated agents report about themselves. */
interface Traffic {
  readonly seconds: number;
  readonly received: number;
  readonly sent: number;
}

interface Cost extends Traffic {
  readonly peakRssMb: number;
  readonly exitCode: number | null;
  readonly joiningMs: number;
  readonly runningMs: number;
  readonly toResultMs: number;
}

function printCost({ seconds: records, exitCode, ...cost }: Cost): void {
  const agentSeconds = agents * records;
  const print = (what: string, figure: number, unit: string): void => {
    console.log(`${what.padEnd(44)} ${figure.toPrecision(3)} ${unit}`);
  };
  console.log(`${agents} agents, ${records} records of each, Node ${process.version}; exit code ${exitCode}`);
  print("coordinator: CPU for each agent and second", (1000 * cost.runningMs) / agentSeconds, "µs");
  print("coordinator: CPU for each agent that joins", cost.joiningMs / agents, "ms");
  print("coordinator: memory at most", cost.peakRssMb, "MB");
  print("from an agent, for each second", cost.sent / agentSeconds, "bytes");
  print("to an agent, for each second", cost.received / agentSeconds, "bytes");
  print("from the last record to the result", cost.toResultMs / 1000, "s");
}

function failed(message: string): never {
  throw new Error(message);
}
