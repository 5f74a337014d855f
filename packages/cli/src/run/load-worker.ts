import type { DefinitionSource } from "../protocol/definition-source.ts";
import type { Launcher, WorkerEnd, WorkerHandle } from "../protocol/launcher.ts";
import type { FromLoadWorker, StopMode, ToLoadWorker } from "../protocol/messages.ts";
import type { RunPlan } from "../protocol/plan.ts";
import type { SampleTaker } from "../protocol/samples.ts";
import { accountingMemory, SharedAccounting } from "../protocol/shared-accounting.ts";
import type { SharedFeeds } from "../protocol/shared-feeds.ts";
import type { SharedTickets } from "../protocol/shared-tickets.ts";

/** The parts that all workers of a run are started with. */
export interface LoadWorkerParts {
  readonly launch: Launcher;
  readonly source: DefinitionSource;
  readonly plan: RunPlan;
  readonly data: unknown;
  readonly feeds: SharedFeeds;
  readonly tickets: SharedTickets;
  /** Null where requests are not sampled. */
  readonly samples: SampleTaker | null;
  /** All that is masked when the load begins. */
  readonly secrets: readonly string[];
  readonly onOutput: (text: string) => void;
}

/** One load worker, from the coordinator's side: its counts, whether it still runs, and why it was lost. */
export class LoadWorker {
  readonly id: number;
  readonly accounting: SharedAccounting;
  /** Null without a warm-up. */
  readonly warmupAccounting: SharedAccounting | null;
  /** Null for a test without `vuState`. */
  readonly vuStateAccounting: SharedAccounting | null;
  readonly ready: Promise<void>;
  /** Resolves when it has told everything, or can tell no more. */
  readonly done: Promise<void>;
  /** Resolves when its thread has ended, too, which may print its last lines. */
  left: Promise<void> = Promise.resolve();
  readonly #handle: WorkerHandle<ToLoadWorker, FromLoadWorker>;
  readonly #plan: RunPlan;
  #isReady = false;
  #isFinished = false;
  #isAskingForHeap = false;
  #lost: string | null = null;
  #markReady: () => void = () => undefined;
  #markDone: () => void = () => undefined;

  constructor(
    id: number,
    parts: LoadWorkerParts,
    onMessage: (worker: LoadWorker, message: FromLoadWorker) => void,
  ) {
    const { launch, source, plan, data, feeds, tickets, samples, secrets, onOutput } = parts;
    this.id = id;
    this.#plan = plan;
    const createAccounting = (): SharedAccounting =>
      new SharedAccounting(accountingMemory(plan.scenarios.length));
    this.accounting = createAccounting();
    this.warmupAccounting = plan.warmupMs > 0 ? createAccounting() : null;
    this.vuStateAccounting = plan.hasVuState === true ? createAccounting() : null;
    this.ready = new Promise((resolve) => {
      this.#markReady = resolve;
    });
    this.done = new Promise((resolve) => {
      this.#markDone = resolve;
    });
    this.#handle = launch<ToLoadWorker, FromLoadWorker>(
      {
        role: "load",
        workerId: id,
        source,
        plan,
        data,
        feeds,
        accounting: this.accounting.buffer,
        warmupAccounting: this.warmupAccounting?.buffer ?? null,
        vuStateAccounting: this.vuStateAccounting?.buffer ?? null,
        sampling: samples === null ? null : { rule: samples.rule, ring: samples.join(id) },
        tickets: tickets.buffer,
        secrets,
      },
      onOutput,
    );
    this.#handle.receive((message) => {
      if (message.type === "ready") {
        this.#isReady = true;
        this.#markReady();
      }
      if (message.type === "finished") this.#finish();
      onMessage(this, message);
    });
    void this.#handle.ended.then((end) => {
      this.#lose(describeEnd(end));
    });
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  get isRunning(): boolean {
    return !this.#isFinished && this.#lost === null;
  }

  /** Why the worker was lost; null where it was not. */
  get lost(): string | null {
    return this.#lost;
  }

  start(atMs: number, beganMs: number): void {
    this.#handle.send({ type: "start", atMs, beganMs });
  }

  stop(mode: StopMode): void {
    if (this.isRunning) this.#handle.send({ type: "stop", mode });
  }

  /** How long its thread has shown no sign of life. */
  blockedMs(nowMs: number): number {
    const beatMs = this.accounting.get("heartbeat");
    return beatMs === 0 || !this.isRunning ? 0 : nowMs - beatMs;
  }

  /** Gives the worker up when its code holds more memory than it may. */
  async watchHeap(): Promise<void> {
    if (!this.isRunning || this.#isAskingForHeap) return;
    this.#isAskingForHeap = true;
    const isOut = await this.#handle.isOutOfHeap().catch(() => false);
    this.#isAskingForHeap = false;
    if (isOut) await this.abandon("ran out of heap");
  }

  /** Gives the worker up and ends its thread. */
  async abandon(reason: string): Promise<void> {
    this.#lose(reason);
    await this.#handle.terminate();
  }

  /** Ends a worker that was not started: it has nothing to tell. */
  async dismiss(): Promise<void> {
    this.#isFinished = true;
    this.#markDone();
    await this.#handle.terminate();
  }

  /** The scenario whose code ran last. */
  get scenarioName(): string {
    return this.#plan.scenarios[this.accounting.get("scenarioIndex")]?.scenario.name ?? "";
  }

  #finish(): void {
    this.#isFinished = true;
    this.left = this.#handle.leave();
    this.#markDone();
  }

  #lose(reason: string): void {
    if (!this.isRunning) return;
    this.#lost = `${reason} in scenario ${this.scenarioName}`;
    this.#markReady();
    this.#markDone();
  }
}

function describeEnd({ error, exitCode }: WorkerEnd): string {
  if (error === null) return `ended by process.exit(${exitCode})`;
  if ("code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY") return "ran out of heap";
  return `crashed (${error.message})`;
}
