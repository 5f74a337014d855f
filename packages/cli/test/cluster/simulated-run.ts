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

/** Writes nothing: no agent of these tests asks for a file. */
const job: PackedJob = {
  description: "{}",
  files: [],
  read: () => Promise.reject(new Error("no such file")),
};

/** Resolves when this process waits for nothing of the disk. */
export async function diskAnswered(): Promise<void> {
  do await delay(1);
  while (process.getActiveResourcesInfo().includes("FSReqPromise"));
}

/** The network between one agent and the coordinator. */
export class SimulatedLink {
  /** Connections can be made. */
  isUp = true;
  /** Null while it works; otherwise what waits for it to work again. */
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
        // Nothing that these agents send is large.
        pause: () => undefined,
        resume: () => undefined,
        // All that was sent before still arrives, if the line works.
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

  /** From now on, nothing gets through, and nobody is told. */
  silence(): void {
    this.#waiting ??= [];
  }

  heal(): void {
    this.isUp = true;
    const waiting = this.#waiting ?? [];
    this.#waiting = null;
    for (const send of waiting) send();
  }

  /** Whatever is on its way is lost. */
  cut(): void {
    this.#end();
  }
}

export interface SimulatedAgent {
  readonly session: AgentSession;
  readonly recording: PostedRecording;
  readonly link: SimulatedLink;
  /** The messages that it was sent, in a word each. */
  readonly told: string[];
  /** Records one more moment of its run, or the last. */
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

/** A run of agents and a coordinator that lives in one thread, by one clock, with real files. */
export class SimulatedRun {
  readonly clock = new FakeClock(5000);
  readonly agents: SimulatedAgent[] = [];
  standings: readonly Standing[] = [];
  /** The messages of the coordinator, in a word each. */
  readonly told: string[] = [];
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

  /** From the state that its folder has. */
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
        end: (shard) => this.told.push(`end ${shard}`),
        start: () => this.told.push("start"),
      },
      events: {
        onStandings: (listed: readonly ListedSeat[]) => {
          this.standings = listed.map(({ standing }) => standing);
        },
        onProblem: (_seat, text) => this.told.push(`problem: ${text}`),
        onMissing: (missing) => this.told.push(`missing: ${missing.map(({ shard }) => shard).join()}`),
      },
    });
    this.#coordination.over.then(
      () => {
        this.isOver = true;
      },
      (error: unknown) => this.told.push(String(error)),
    );
  }

  get coordination(): Coordination {
    if (this.#coordination === null) throw new TypeError("the coordinator is dead");
    return this.#coordination;
  }

  /** Ends the coordinator in the middle of a write: all connections break, and its files end in half a record. */
  async killCoordinator(): Promise<void> {
    const { coordination } = this;
    this.#coordination = null;
    for (const { link } of this.agents) link.cut();
    await coordination.close();
    for (const shard of this.agents.keys())
      appendFileSync(this.folder.part(shard), Buffer.from([0x1f, 0x8b, 8]));
  }

  /** A new coordinator on another machine knows nothing. */
  loseFolder(): void {
    this.folder = new RunFolder(join(this.#made, "another"));
  }

  addAgent(wantedShard: number | null = null): SimulatedAgent {
    const index = this.agents.length;
    const told: string[] = [];
    const { clock } = this;
    const link = new SimulatedLink((open) => this.coordination.accept(open));
    const recording = new PostedRecording(
      join(this.#made, `agent-${index}`),
      (text) => told.push(text),
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
        onStop: ({ reason, interruption }) => told.push(`stop ${interruption}: ${reason}`),
        onOrphaned: (reason) => told.push(`orphaned: ${reason}`),
      },
    });
    session.joined.catch((error: unknown) => told.push(`refused: ${String(error)}`));
    let recorded = 0;
    const record = (isEnd = false): void => {
      if (recorded === 0) recording.begin(partOf({ index, count: this.#options.agents }).run);
      else recording.add({ ...recordedMoment(recorded), isEnd });
      recorded++;
    };
    const agent = { session, recording, link, told, record };
    this.agents.push(agent);
    return agent;
  }

  /** Lets time pass, and files be written meanwhile: however long the disk takes, that is no time of the run. */
  async pass(ms: number): Promise<void> {
    const untilMs = this.clock.now() + ms;
    while (this.clock.now() < untilMs) {
      await this.clock.runTo(Math.min(untilMs, this.clock.now() + stepMs));
      await diskAnswered();
    }
  }

  /** Lets time pass until something has come about. */
  async until(condition: () => boolean): Promise<void> {
    for (let step = 0; !condition(); step++) {
      if (step === mostSteps) throw new Error(`it did not come about: ${condition.toString()}`);
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
