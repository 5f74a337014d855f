import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

import { AgentSession } from "../../src/cluster/agent/agent-session.ts";
import { PostedRecording } from "../../src/cluster/agent/posted-recording.ts";
import { Coordination } from "../../src/cluster/coordinate/coordination.ts";
import type { ListedSeat, Standing } from "../../src/cluster/coordinate/roster.ts";
import { RunFolder, type KeptState } from "../../src/cluster/coordinate/run-folder.ts";
import type { PackedJob } from "../../src/cluster/job/pack-job.ts";
import type { Connection, ConnectionEvents } from "../../src/cluster/wire/connection.ts";
import { recordedMoment } from "../../../engine/test/recording/recorded.ts";
import { FakeClock } from "../../../plan/test/pacing/fake-clock.ts";
import { partOf } from "../../../engine/test/outcome/merge/parts.ts";

const stepMs = 250;
const mostSteps = 4000;
const hourMs = 3_600_000;

/** A job without files: no agent of these tests requests one. */
const job: PackedJob = {
  description: "{}",
  files: [],
  read: () => Promise.reject(new Error("no such file")),
};

/** Resolves when this process has no pending file operation. */
export async function diskAnswered(): Promise<void> {
  do await delay(1);
  while (process.getActiveResourcesInfo().includes("FSReqPromise"));
}

/** The network between one agent and the coordinator. */
export class SimulatedLink {
  /** True if connections can be opened. */
  isUp = true;
  /** The messages held back during a silence, as functions that deliver them; null while the link works. */
  #waiting: (() => void)[] | null = null;
  readonly #accept: (open: () => Connection) => ConnectionEvents;
  #end: () => void = () => undefined;

  constructor(accept: (open: () => Connection) => ConnectionEvents) {
    this.#accept = accept;
  }

  dial = (agent: ConnectionEvents): Promise<Connection> => {
    if (!this.isUp) return Promise.reject(new Error("connect ECONNREFUSED"));
    const line = { isOpen: true };
    const end = (): void => {
      if (!line.isOpen) return;
      line.isOpen = false;
      setImmediate(() => {
        agent.onClose();
        coordinator.onClose();
      });
    };
    const sideOf = (other: () => ConnectionEvents): Connection => {
      const deliver = (arrive: () => void): void => {
        const send = (): void => {
          setImmediate(() => line.isOpen && arrive());
        };
        if (this.#waiting === null) send();
        else this.#waiting.push(send);
      };
      return {
        send: (message) => {
          deliver(() => {
            other().onText(JSON.stringify(message));
          });
        },
        sendBytes: (bytes) => {
          deliver(() => {
            other().onBytes(Buffer.from(bytes));
          });
          return Promise.resolve();
        },
        // These agents never send enough to be paused.
        pause: () => undefined,
        resume: () => undefined,
        // Messages that were sent before still arrive, if the link works.
        close: () => {
          if (this.#waiting === null) setImmediate(end);
          else end();
        },
      };
    };
    const toAgent = sideOf(() => agent);
    const coordinator = this.#accept(() => toAgent);
    this.#end = end;
    return Promise.resolve(sideOf(() => coordinator));
  };

  /** From now on nothing gets through, and neither side notices. */
  silence(): void {
    this.#waiting ??= [];
  }

  heal(): void {
    this.isUp = true;
    const waiting = this.#waiting ?? [];
    this.#waiting = null;
    for (const send of waiting) send();
  }

  /** Closes the connection. Messages on their way are lost. */
  cut(): void {
    this.#end();
  }
}

export interface SimulatedAgent {
  readonly session: AgentSession;
  readonly recording: PostedRecording;
  readonly link: SimulatedLink;
  /** The orders, refusals and warnings that reached the agent, as short texts. */
  readonly log: string[];
  /** Records the next moment of the agent's run, or the last one. */
  readonly record: (isEnd?: boolean) => void;
}

export interface SimulationOptions {
  readonly agents: number;
  readonly allowsPartial?: boolean;
  /** @default an hour */
  readonly joinTimeoutMs?: number;
  /** @default an hour */
  readonly orphanTimeoutMs?: number;
}

/** A run with agents and a coordinator in one thread, with a simulated clock and network, but real files. */
export class SimulatedRun {
  readonly clock = new FakeClock(5000);
  readonly agents: SimulatedAgent[] = [];
  standings: readonly Standing[] = [];
  /** The events that the coordinator reported, as short texts. */
  readonly log: string[] = [];
  isOver = false;
  readonly #options: SimulationOptions;
  readonly #made = mkdtempSync(join(tmpdir(), "bearhug-test-"));
  folder = new RunFolder(join(this.#made, "run"));
  #coordination: Coordination | null = null;

  private constructor(options: SimulationOptions) {
    this.#options = options;
  }

  static async begin(options: SimulationOptions): Promise<SimulatedRun> {
    const run = new SimulatedRun(options);
    await run.startCoordinator();
    return run;
  }

  /** Starts a coordinator from the state in its folder, or a new one if there is none. */
  async startCoordinator(runId = "the run"): Promise<void> {
    const { agents, allowsPartial = false } = this.#options;
    const { joinTimeoutMs = hourMs, orphanTimeoutMs = hourMs } = this.#options;
    await this.folder.make();
    const fresh: KeptState = {
      runId,
      agents,
      token: "",
      tls: null,
      seats: [],
      startAtMs: null,
      stop: null,
      setupData: null,
    };
    const state = (await this.folder.read()) ?? fresh;
    const { clock, folder } = this;
    this.#coordination = await Coordination.begin({
      clock,
      folder,
      state,
      job,
      agents,
      allowsPartial,
      joinTimeoutMs,
      orphanTimeoutMs,
      watch: {
        begin: () => undefined,
        add: () => undefined,
        end: (shard) => this.log.push(`end ${shard}`),
        start: () => this.log.push("start"),
      },
      events: {
        onStandings: (listed: readonly ListedSeat[]) => {
          this.standings = listed.map(({ standing }) => standing);
        },
        onProblem: (_seat, text) => this.log.push(`problem: ${text}`),
        onMissing: (missing) => this.log.push(`missing: ${missing.map(({ shard }) => shard).join()}`),
      },
    });
    this.#coordination.over.then(
      () => {
        this.isOver = true;
      },
      (error: unknown) => this.log.push(String(error)),
    );
  }

  get coordination(): Coordination {
    if (this.#coordination === null) throw new TypeError("the coordinator is dead");
    return this.#coordination;
  }

  /**
   * Ends the coordinator in the middle of a write: all connections break, and its files end with half a
   * record.
   */
  async killCoordinator(): Promise<void> {
    const { coordination } = this;
    this.#coordination = null;
    for (const { link } of this.agents) link.cut();
    await coordination.close();
    for (const shard of this.agents.keys())
      appendFileSync(this.folder.part(shard), Buffer.from([0x1f, 0x8b, 8]));
  }

  /** Gives the next coordinator an empty folder, as if it started on another machine. */
  loseFolder(): void {
    this.folder = new RunFolder(join(this.#made, "another"));
  }

  addAgent(wantedShard: number | null = null): SimulatedAgent {
    const index = this.agents.length;
    const log: string[] = [];
    const { clock } = this;
    const link = new SimulatedLink((open) => this.coordination.accept(open));
    const recording = new PostedRecording(
      join(this.#made, `agent-${index}`),
      (text) => log.push(text),
      (bytes) => session.sendBytes(bytes),
    );
    const session = new AgentSession({
      clock,
      wantedShard,
      joinTimeoutMs: this.#options.joinTimeoutMs ?? hourMs,
      name: `agent ${index}`,
      agentId: `00000000-0000-4000-8000-00000000000${index}`,
      dial: (events) =>
        this.#coordination === null ? Promise.reject(new Error("connect ECONNREFUSED")) : link.dial(events),
      events: {
        onConnect: (applied) => {
          recording.connect(applied);
        },
        onDisconnect: () => {
          recording.disconnect();
        },
        onApplied: (applied) => {
          recording.acknowledge(applied);
        },
        onStop: ({ reason, interruption }) => log.push(`stop ${interruption}: ${reason}`),
        onOrphaned: (reason) => log.push(`orphaned: ${reason}`),
      },
    });
    session.joined.catch((error: unknown) => log.push(`refused: ${String(error)}`));
    let recorded = 0;
    const record = (isEnd = false): void => {
      if (recorded === 0) recording.begin(partOf({ index, count: this.#options.agents }).run);
      else recording.add({ ...recordedMoment(recorded), isEnd });
      recorded++;
    };
    const agent = { session, recording, link, log, record };
    this.agents.push(agent);
    return agent;
  }

  /** Advances the clock, and waits for file operations meanwhile: a slow disk takes no time of the run. */
  async pass(ms: number): Promise<void> {
    const untilMs = this.clock.now() + ms;
    while (this.clock.now() < untilMs) {
      await this.clock.runTo(Math.min(untilMs, this.clock.now() + stepMs));
      await diskAnswered();
    }
  }

  /** Advances the clock until a condition holds. */
  async until(condition: () => boolean): Promise<void> {
    for (let step = 0; !condition(); step++) {
      if (step === mostSteps) throw new Error(`this never came to hold: ${condition.toString()}`);
      await this.pass(stepMs);
    }
  }

  async end(): Promise<void> {
    for (const { session } of this.agents) session.close();
    await this.#coordination?.close();
    for (const { recording } of this.agents) await recording.close();
    rmSync(this.#made, { recursive: true, force: true });
  }
}
