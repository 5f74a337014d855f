import { ErrorLog } from "@bearhug/metrics/error-log";
import { latestEndMs, startsUntilMs } from "@bearhug/plan/executors/load-models";
import { awaitUntil, type Clock, every } from "@bearhug/plan/pacing/clock";
import type { DefinitionSource } from "@bearhug/plan/protocol/definition-source";
import type { Launcher, WorkerEnd, WorkerHandle } from "@bearhug/plan/protocol/launcher";
import type { FromLoadWorker, StopMode, ToLoadWorker } from "@bearhug/plan/protocol/messages";
import type { RunPlan } from "@bearhug/plan/protocol/plan";
import { accountingMemory, SharedAccounting } from "@bearhug/plan/protocol/shared-accounting";
import type { SharedFeeds } from "@bearhug/plan/protocol/shared-feeds";
import type { SampleTaker } from "@bearhug/plan/protocol/shared-samples";
import type { SharedConnections } from "@bearhug/plan/protocol/shared-connections";
import type { SharedTickets } from "@bearhug/plan/protocol/shared-tickets";

import { countLoad, type LoadCounts } from "../outcome/load-counts.ts";
import { inScenario } from "../outcome/verdict/cut-short.ts";

/** The delay from readiness to start, in which the message reaches all workers. A single one needs less. */
const startDelayMs = { one: 5, several: 20 };
const watchEveryMs = 250;
/** A check this late was itself held up, and probably its workers with it. */
const heldUpMs = 1000;
/** A thread without a heartbeat for this long is reported as blocked. */
const blockedAfterMs = 5000;
/**
 * The time in which a worker must report after its last iteration was interrupted, or it is reported as slow.
 */
const reportWithinMs = 2000;
/** The longest wait for a slow worker whose thread still runs. */
const patienceMs = 30_000;
/** The longest wait for any worker after the second interruption. */
const urgentReportWithinMs = 500;

/** The parts that all load workers of a run have in common. */
export interface LoadWorkerOptions {
  readonly launch: Launcher;
  readonly source: DefinitionSource;
  readonly plan: RunPlan;
  readonly data: unknown;
  readonly feeds: SharedFeeds;
  readonly tickets: SharedTickets;
  readonly connections: SharedConnections;
  /** Null if requests are not sampled. */
  readonly samples: SampleTaker | null;
  /** The secrets that are known when the load begins. */
  readonly secrets: readonly string[];
  readonly onOutput: (text: string) => void;
}

export interface LoadRunEvents {
  onMessage(workerId: number, message: FromLoadWorker): void;
  /** Receives a sentence about the load generator. */
  onWarning(text: string): void;
}

/**
 * The load, from the start of the workers to the end of the last one. Ends on time, whatever the workers do.
 */
export class LoadRun {
  readonly workers: readonly LoadWorker[];
  readonly connections: SharedConnections;
  readonly #plan: RunPlan;
  readonly #clock: Clock;
  readonly #events: LoadRunEvents;
  readonly #warned = { blocked: new Set<number>(), slow: new Set<number>() };
  /** The oddities of successful requests that made VU states. */
  readonly vuStateOddities: ErrorLog = new ErrorLog();
  startedAtMs = 0;
  /** How long after the common start this machine began; 0 if it was in time. */
  lateMs = 0;
  /** The end of the warm-up; without one, the start. */
  measuredFromMs = 0;
  endedAtMs = 0;
  /**
   * Counted from the start, because as a difference of clock times, a planned 4 s would be slightly off in
   * every fifth run.
   */
  #activeForMs = Number.POSITIVE_INFINITY;
  /** The time by which every worker should have reported its end. */
  #reportByMs = Number.POSITIVE_INFINITY;
  #isUrgent = false;
  #watchedAtMs = Number.POSITIVE_INFINITY;

  constructor(options: LoadWorkerOptions, clock: Clock, events: LoadRunEvents) {
    this.connections = options.connections;
    this.#plan = options.plan;
    this.#clock = clock;
    this.#events = events;
    this.workers = Array.from(
      { length: options.plan.workers },
      (_, id) => new LoadWorker(id, options, (worker, message) => events.onMessage(worker.id, message)),
    );
  }

  get accountings(): SharedAccounting[] {
    return this.workers.map(({ accounting }) => accounting);
  }

  /** Counts of all workers so far. */
  get counts(): LoadCounts {
    return countLoad(this, this.#plan.scenarios.length);
  }

  /** The counts of the warm-up; empty without one. */
  get warmupAccountings(): SharedAccounting[] {
    return this.workers.flatMap(({ warmupAccounting }) => warmupAccounting ?? []);
  }

  /** The counts of requests that make VU states; empty for a test without `vuState`. */
  get vuStateAccountings(): SharedAccounting[] {
    return this.workers.flatMap(({ vuStateAccounting }) => vuStateAccounting ?? []);
  }

  /**
   * Resolves with true if all workers were ready or lost before the timeout and before the user interrupted.
   */
  async ready(timeoutMs: number, interrupted: Promise<void>): Promise<boolean> {
    const areReady = Promise.all(this.workers.map(({ ready }) => ready));
    await awaitUntil(this.#clock, this.#clock.now() + timeoutMs, Promise.race([areReady, interrupted]));
    return this.workers.every(({ isReady, lost }) => isReady || lost !== null);
  }

  /** True if the test's module threw in a worker. */
  get hasFailedToLoad(): boolean {
    return this.workers.some((worker) => worker.hasFailedToLoad);
  }

  /** Ends workers that were launched but not started. */
  async dismiss(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.dismiss()));
  }

  /** True while iterations are started and measured. */
  get isActive(): boolean {
    return this.startedAtMs > 0 && this.#clock.now() >= this.measuredFromMs && !this.#isOver();
  }

  /**
   * Runs the load and resolves when every worker has ended.
   * @param startAtMs the clock's time of the start that several machines have in common; null to start at once
   */
  async run(startAtMs: number | null = null): Promise<void> {
    const soonMs = this.#clock.now() + startDelayMs[this.workers.length === 1 ? "one" : "several"];
    this.startedAtMs = startAtMs ?? soonMs;
    this.lateMs = Math.max(0, soonMs - this.startedAtMs);
    this.measuredFromMs = this.startedAtMs + this.#plan.warmupMs;
    const scenarios = this.#plan.scenarios.map(({ scenario }) => scenario);
    this.#activeForMs = startsUntilMs(scenarios);
    this.#reportByMs = this.startedAtMs + Math.max(...scenarios.map(latestEndMs)) + reportWithinMs;
    for (const worker of this.workers) worker.start(this.startedAtMs, this.startedAtMs + this.lateMs);
    const endWatch = every(this.#clock, watchEveryMs, () => this.#watch());
    await Promise.all(this.workers.map(({ done }) => done));
    endWatch();
    this.endedAtMs = this.#clock.now();
  }

  /** Resolves when the threads of the ended workers are gone: until then they may print their last lines. */
  async leave(): Promise<void> {
    await Promise.all(this.workers.map(({ left }) => left));
  }

  /** The time from the start until no more iterations start, at the latest; Infinity before the start. */
  get activeForMs(): number {
    return this.#activeForMs;
  }

  #isOver(): boolean {
    return this.#clock.now() >= this.startedAtMs + this.#activeForMs;
  }

  /** Stops the load. `isUrgent`: the user will not wait, so a worker that is slow to end is abandoned. */
  stop(mode: StopMode, isUrgent = false): void {
    const now = this.#clock.now();
    const gracefulMs = Math.max(...this.#plan.scenarios.map(({ scenario }) => scenario.gracefulStopMs));
    const endsMs =
      now + (mode === "hard" ? 0 : gracefulMs) + (isUrgent ? urgentReportWithinMs : reportWithinMs);
    this.#isUrgent ||= isUrgent;
    this.#activeForMs = Math.min(this.#activeForMs, now - this.startedAtMs);
    this.#reportByMs = Math.min(this.#reportByMs, endsMs);
    for (const worker of this.workers) worker.stop(mode);
  }

  #watch(): void {
    const isHeldUp = this.#clock.now() - this.#watchedAtMs > heldUpMs;
    // Skip one late check, so that workers catch up before they are judged. Only one: on a busy machine all
    // may be late.
    this.#watchedAtMs = isHeldUp ? Number.POSITIVE_INFINITY : this.#clock.now();
    if (isHeldUp) return;
    for (const worker of this.workers) {
      void worker.watchHeap();
      this.#watchPulse(worker, this.#clock.now());
      if (worker.isRunning) this.#watchEnd(worker, this.#clock.now());
    }
  }

  #watchPulse(worker: LoadWorker, now: number): void {
    if (worker.blockedMs(now) >= blockedAfterMs)
      this.#warnOnce("blocked", worker, `has been blocked for 5 s in scenario ${worker.scenarioName}`);
  }

  /**
   * Abandons a worker that cannot be expected to end. A worker that is only slow still has samples to send.
   */
  #watchEnd(worker: LoadWorker, now: number): void {
    const blockedMs = worker.blockedMs(now);
    const overdueMs = now - this.#reportByMs;
    const isAbandoned = overdueMs >= (this.#isUrgent ? 0 : patienceMs - reportWithinMs);
    if (isAbandoned || (blockedMs >= blockedAfterMs && this.#isOver()))
      void worker.abandon(
        blockedMs > reportWithinMs
          ? `had been blocked for ${Math.floor(blockedMs / 1000)} s at the end`
          : "did not end in time",
      );
    else if (overdueMs >= 0)
      this.#warnOnce("slow", worker, `is slow to report: waiting up to ${patienceMs / 1000} s for it`);
  }

  #warnOnce(kind: "blocked" | "slow", { id }: LoadWorker, text: string): void {
    if (this.#warned[kind].has(id)) return;
    this.#warned[kind].add(id);
    this.#events.onWarning(`worker ${id} ${text}`);
  }
}

/** A load worker, as the coordinator sees it: its counts, whether it still runs, and why it was lost. */
class LoadWorker {
  readonly id: number;
  readonly accounting: SharedAccounting;
  /** Null without a warm-up. */
  readonly warmupAccounting: SharedAccounting | null;
  /** Null for a test without `vuState`. */
  readonly vuStateAccounting: SharedAccounting | null;
  readonly #ready: PromiseWithResolvers<void> = Promise.withResolvers();
  readonly #done: PromiseWithResolvers<void> = Promise.withResolvers();
  readonly ready: Promise<void> = this.#ready.promise;
  /** Resolves when the worker has finished or is lost: no more samples will come. */
  readonly done: Promise<void> = this.#done.promise;
  /** Resolves when its thread has ended, too: until then it may print its last lines. */
  left: Promise<void> = Promise.resolve();
  readonly #handle: WorkerHandle<ToLoadWorker, FromLoadWorker>;
  readonly #plan: RunPlan;
  #isReady = false;
  #hasFailedToLoad = false;
  #isFinished = false;
  #isReadingHeap = false;
  #lost: string | null = null;

  constructor(
    id: number,
    options: LoadWorkerOptions,
    onMessage: (worker: LoadWorker, message: FromLoadWorker) => void,
  ) {
    const { launch, source, plan, data, feeds, tickets, connections, samples, secrets, onOutput } = options;
    this.id = id;
    this.#plan = plan;
    const createAccounting = (): SharedAccounting =>
      new SharedAccounting(accountingMemory(plan.scenarios.length));
    this.accounting = createAccounting();
    this.warmupAccounting = plan.warmupMs > 0 ? createAccounting() : null;
    this.vuStateAccounting = plan.hasVuState === true ? createAccounting() : null;
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
        connections: connections.buffer,
        secrets,
      },
      onOutput,
    );
    this.#handle.receive((message) => {
      if (message.type === "ready") {
        this.#isReady = true;
        this.#ready.resolve();
      }
      if (message.type === "threw") this.#failToLoad();
      if (message.type === "finished") this.#finish();
      onMessage(this, message);
    });
    void this.#handle.ended.then((end) => this.#lose(describeEnd(end)));
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  /** True if the test's module threw in it. */
  get hasFailedToLoad(): boolean {
    return this.#hasFailedToLoad;
  }

  get isRunning(): boolean {
    return !this.#isFinished && this.#lost === null;
  }

  /** The reason why the worker was lost; null if it was not. */
  get lost(): string | null {
    return this.#lost;
  }

  start(atMs: number, beganMs: number): void {
    this.#handle.send({ type: "start", atMs, beganMs });
  }

  stop(mode: StopMode): void {
    if (this.isRunning) this.#handle.send({ type: "stop", mode });
  }

  /** Returns the time since the last heartbeat of its thread. */
  blockedMs(nowMs: number): number {
    const beatMs = this.accounting.get("heartbeat");
    return beatMs === 0 || !this.isRunning ? 0 : nowMs - beatMs;
  }

  /** Abandons the worker if its code uses more memory than allowed. */
  async watchHeap(): Promise<void> {
    if (!this.isRunning || this.#isReadingHeap) return;
    this.#isReadingHeap = true;
    const isOut = await this.#handle.isOutOfHeap().catch(() => false);
    this.#isReadingHeap = false;
    if (isOut) await this.abandon("ran out of heap");
  }

  /** Counts the worker as lost and ends its thread. */
  async abandon(reason: string): Promise<void> {
    this.#lose(reason);
    await this.#handle.terminate();
  }

  /** Ends a worker that was not started and so has nothing to report. */
  async dismiss(): Promise<void> {
    this.#isFinished = true;
    this.#done.resolve();
    await this.#handle.terminate();
  }

  /** The scenario whose code ran last. */
  get scenarioName(): string {
    return this.#plan.scenarios[this.accounting.get("scenarioIndex")]?.scenario.name ?? "";
  }

  #failToLoad(): void {
    this.#hasFailedToLoad = true;
    this.#isFinished = true;
    this.#ready.resolve();
    this.#done.resolve();
  }

  #finish(): void {
    this.#isFinished = true;
    this.left = this.#handle.leave();
    this.#done.resolve();
  }

  #lose(reason: string): void {
    if (!this.isRunning) return;
    this.#lost = reason + inScenario + this.scenarioName;
    this.#ready.resolve();
    this.#done.resolve();
  }
}

function describeEnd({ error, exitCode }: WorkerEnd): string {
  if (error === null) return `ended by process.exit(${exitCode})`;
  if ("code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY") return "ran out of heap";
  return `crashed (${error.message})`;
}
