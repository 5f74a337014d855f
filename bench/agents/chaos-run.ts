import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";

import { parseResult, type TestResult } from "bearhug";

import { launcher } from "../bench-process.ts";
import { ChaosNetwork, targetHost } from "./chaos-network.ts";
import { agentsTest, type AgentsPlan, type Mishap } from "./chaos-plan.ts";

/** The observable outcome of a run. */
export interface ChaosOutcome {
  /** Null for a process that was killed. */
  readonly exitCodes: { readonly coordinator: number | null; readonly agents: readonly (number | null)[] };
  /** Programs that did not end in time. */
  readonly hung: readonly string[];
  readonly result: TestResult | null;
  /** The number of requests, by method and path. */
  readonly received: ReadonlyMap<string, number>;
  /**
   * The time from the end of the coordinator to the last request; null if the coordinator was there to the
   * end.
   */
  readonly lastAfterCoordinatorMs: number | null;
}

export const orphanTimeoutMs = 5000;
/**
 * A silent agent is given up 60 s after the end of the load, and an agent waits as long for its coordinator.
 */
const longestMs = 170_000;

const target = fileURLToPath(new URL("chaos-target.ts", import.meta.url));

/** Runs a plan in its own network namespaces. Its files are left in the folder. */
export async function runChaos(plan: AgentsPlan, folder: string, name: string): Promise<ChaosOutcome> {
  mkdirSync(folder, { recursive: true });
  const network = new ChaosNetwork(name, plan.agents);
  const run = new ChaosRun(plan, folder, network);
  try {
    return await run.run();
  } finally {
    run.killAll();
    network.close();
  }
}

interface Program {
  readonly name: string;
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
  /** The file with its output. */
  readonly log: string;
}

class ChaosRun {
  readonly #plan: AgentsPlan;
  readonly #folder: string;
  readonly #network: ChaosNetwork;
  readonly #programs: Program[] = [];
  #coordinator: Program | null = null;
  #agents: Program[] = [];
  #isOver = false;
  #coordinatorGoneAtMs: number | null = null;

  constructor(plan: AgentsPlan, folder: string, network: ChaosNetwork) {
    this.#plan = plan;
    this.#folder = folder;
    this.#network = network;
  }

  async run(): Promise<ChaosOutcome> {
    const { agents } = this.#plan;
    writeFileSync(join(this.#folder, "chaos.ts"), agentsTest(this.#plan, `http://${targetHost}:8080`));
    writeFileSync(join(this.#folder, "plan.json"), JSON.stringify(this.#plan, null, 2));
    const socket = join(this.#folder, "counts.sock");
    await this.#startTarget(socket);
    const coordinator = this.#startCoordinator();
    await awaitOutput(coordinator, /(bearhug agent --join)/);
    const listensAtMs = performance.now();
    for (let agent = 0; agent < agents; agent++) this.#agents.push(this.#startAgent(agent));
    const mishaps = this.#plan.mishaps.map((mishap) => this.#letHappen(mishap, listensAtMs));
    const hung = await this.#awaitAll();
    this.#isOver = true;
    await Promise.all(mishaps);
    const { counts, lastAtMs } = await readCounts(socket);
    const goneAtMs = this.#coordinatorGoneAtMs;
    return {
      exitCodes: {
        coordinator: this.#coordinator?.child.exitCode ?? null,
        agents: this.#agents.map(({ child }) => child.exitCode),
      },
      hung,
      result: readOutcome(join(this.#folder, "result.json")),
      received: new Map(Object.entries(counts)),
      lastAfterCoordinatorMs: goneAtMs === null ? null : lastAtMs - goneAtMs,
    };
  }

  killAll(): void {
    for (const { child } of this.#programs) if (child.exitCode === null) child.kill("SIGKILL");
  }

  async #startTarget(socket: string): Promise<void> {
    const program = this.#start("target", this.#network.hub, [target, socket], {});
    await awaitOutput(program, /(listening)/);
  }

  #startCoordinator(): Program {
    const flags = ["--agents", String(this.#plan.agents), "--listen", "0.0.0.0:7654", "--quiet"];
    const folder = ["--resume", join(this.#folder, "run"), "--orphan-timeout", `${orphanTimeoutMs}ms`];
    const test = [join(this.#folder, "chaos.ts"), "--join-timeout", "30s", "--workers", "1"];
    const out = ["--out", `json=${join(this.#folder, "result.json")}`, "--seed", String(this.#plan.seed)];
    const command = [launcher, "coordinate", ...test, ...flags, ...folder, ...out];
    const program = this.#start("coordinator", this.#network.hub, command, { BEARHUG_TOKEN: token });
    this.#coordinator = program;
    return program;
  }

  #startAgent(agent: number): Program {
    const address = `wss://${this.#network.coordinatorFor(agent)}:7654`;
    const flags = ["--join", address, "--name", `agent-${agent}`];
    const command = [launcher, "agent", ...flags, "--join-timeout", "30s"];
    return this.#start(`agent-${agent}`, this.#network.agent(agent), command, {
      BEARHUG_TOKEN: token,
      HOME: join(this.#folder, `home-${agent}`),
    });
  }

  #start(name: string, namespace: string, command: readonly string[], env: NodeJS.ProcessEnv): Program {
    const inNamespace = ["netns", "exec", namespace, process.execPath, ...command];
    const log = join(this.#folder, `${name}.log`);
    const output = openSync(log, "a");
    const child = spawn("ip", inNamespace, {
      stdio: ["ignore", output, output],
      env: { ...process.env, HOME: this.#folder, ...env },
    });
    closeSync(output);
    const ended = once(child, "exit").then(() => child.exitCode);
    const program = { name, child, ended, log };
    this.#programs.push(program);
    return program;
  }

  async #letHappen(mishap: Mishap, listensAtMs: number): Promise<void> {
    await wait(Math.max(0, listensAtMs + mishap.atMs - performance.now()));
    if (this.#isOver) return;
    switch (mishap.kind) {
      case "cut":
        this.#network.cut(mishap.agent, mishap.isSilent);
        if (mishap.forMs === null) return;
        await this.#mendAfter(mishap.agent, mishap.forMs);
        return;
      case "slow":
        this.#network.slow(mishap.agent, mishap.kilobits);
        await this.#mendAfter(mishap.agent, mishap.forMs);
        return;
      case "kill-agent":
        this.#agents[mishap.agent]?.child.kill("SIGKILL");
        return;
      case "kill-coordinator":
        await this.#killCoordinator(mishap.restartAfterMs);
    }
  }

  async #mendAfter(agent: number, forMs: number): Promise<void> {
    await wait(forMs);
    if (!this.#isOver) this.#network.mend(agent);
  }

  async #killCoordinator(restartAfterMs: number | null): Promise<void> {
    const killed = this.#coordinator;
    if (killed?.child.exitCode !== null || this.#coordinatorGoneAtMs !== null) return;
    killed.child.kill("SIGKILL");
    await killed.ended;
    if (restartAfterMs === null) {
      this.#coordinatorGoneAtMs = Date.now();
      return;
    }
    await wait(restartAfterMs);
    this.#startCoordinator();
  }

  /** Waits for the coordinator and the agents, including a restarted coordinator. */
  async #awaitAll(): Promise<string[]> {
    const deadlineMs = performance.now() + longestMs;
    const isRunning = ({ child }: Program): boolean => child.exitCode === null && child.signalCode === null;
    const running = (): Program[] => this.#programs.filter((one) => one.name !== "target" && isRunning(one));
    while (running().length > 0 && performance.now() < deadlineMs) await wait(100);
    return running().map(({ name }) => name);
  }
}

const token = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

/** Waits for a text in a program's log. */
async function awaitOutput({ child, name, log }: Program, text: RegExp): Promise<string> {
  for (;;) {
    const [, found] = text.exec(readFileSync(log, "utf8")) ?? [];
    if (found !== undefined) return found;
    if (child.exitCode !== null) throw new Error(`${name} ended before it printed ${String(text)}`);
    await wait(20);
  }
}

interface ServerCounts {
  readonly lastAtMs: number;
  readonly counts: Readonly<Record<string, number>>;
}

function readCounts(socketPath: string): Promise<ServerCounts> {
  return new Promise((resolve, reject) => {
    request({ socketPath, path: "/counts" }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => (text += part));
      response.on("end", () => {
        resolve(JSON.parse(text) as ServerCounts);
      });
    })
      .on("error", reject)
      .end();
  });
}

function readOutcome(path: string): TestResult | null {
  if (!existsSync(path)) return null;
  const { result, problems } = parseResult(JSON.parse(readFileSync(path, "utf8")));
  if (result === undefined) throw new Error(JSON.stringify(problems));
  return result;
}
