import { Worker } from "node:worker_threads";

import { systemClock, every } from "@bearhug/plan/pacing/clock";
import type { IntervalSnapshot, RunDescription, TestResult } from "@bearhug/sdk";
import { errorMessage } from "@bearhug/text/caught-error";

import {
  handlers,
  type FromReporterThread,
  type ReporterThreadStart,
  type ToReporterThread,
} from "./messages.ts";

const pingEveryMs = 1000;
/**
 * Unanswered pings after which a thread counts as blocked: 5 s. Pings are counted, because this thread may be
 * busy itself.
 */
const maxUnanswered = 5;
/** The longest time that a reporter may take to load, and to end. */
const maxStepMs = 60_000;
/** The number of snapshots that may wait for a slow reporter: one minute. Further ones are dropped. */
const maxWaiting = 60;

/** A reporter in its own thread: a user's, or a sink. */
export class ThreadReporter {
  /** The name that the user gave after `--out`. */
  readonly name: string;
  wantsSeries = false;
  /** A sentence for each kind of samples that did not arrive at a sink. */
  readonly losses: string[] = [];
  readonly #worker: Worker;
  readonly #warn: (text: string) => void;
  #endPings: () => void = () => undefined;
  readonly #ready: PromiseWithResolvers<void> = Promise.withResolvers();
  readonly #ended: PromiseWithResolvers<void> = Promise.withResolvers();
  #unanswered = 0;
  #waiting = 0;
  #lost = 0;
  #isOver = false;
  /** The first error; null without one. */
  #failure: string | null = null;

  constructor(name: string, start: ReporterThreadStart, warn: (text: string) => void) {
    this.name = name;
    this.#warn = warn;
    this.#worker = new Worker(entry, { workerData: start });
    this.#worker.on("message", (message: FromReporterThread) => this.#receive(message));
    this.#worker.on("error", (error) => this.#abandon(`crashed: ${errorMessage(error)}`));
    this.#worker.on("exit", () => this.#abandon("ended its thread before the run was over"));
  }

  /** Resolves when the reporter can receive events. Rejects if its file cannot be loaded. */
  async load(): Promise<void> {
    await this.#withTimeout(this.#ready.promise, "was still loading after 60 s");
    if (this.#failure !== null) throw new Error(this.#failure);
  }

  onStart(run: RunDescription): void {
    this.#send({ type: "start", run });
  }

  onInterval(snapshot: IntervalSnapshot): void {
    if (this.#waiting === maxWaiting) {
      this.#lost++;
      return;
    }
    this.#waiting++;
    this.#send({ type: "interval", snapshot });
  }

  /** Rejects with the first error of the run. */
  async onEnd(result: TestResult): Promise<void> {
    this.#send({ type: "end", result });
    await this.#withTimeout(this.#ended.promise, "had not ended 60 s after the run");
    if (this.#lost > 0) this.#fail(`was too slow: ${this.#lost} snapshots were lost`);
    if (this.#failure !== null) throw new Error(this.#failure);
  }

  /** Ends its thread, whatever it is doing: `onEnd` rejects, unless it has resolved. */
  stopWaiting(): void {
    // Not a warning: the caller of `onEnd` reports it.
    this.#failure ??= "a signal stopped it before it had finished";
    void this.close();
  }

  /** Ends its thread. */
  async close(): Promise<void> {
    this.#isOver = true;
    this.#endPings();
    this.#ready.resolve();
    this.#ended.resolve();
    await this.#worker.terminate();
  }

  #send(message: ToReporterThread): void {
    if (!this.#isOver) this.#worker.postMessage(message);
  }

  #ping(): void {
    if (this.#unanswered >= maxUnanswered) {
      this.#abandon("was blocked for 5 s, so it was abandoned");
      return;
    }
    this.#unanswered++;
    this.#send({ type: "ping" });
  }

  #receive(message: FromReporterThread): void {
    this.#unanswered = 0;
    if (message.type === "ready") {
      this.wantsSeries = message.wantsSeries;
      // A thread answers pings once it has loaded.
      if (!this.#isOver) this.#endPings = every(systemClock, pingEveryMs, () => this.#ping());
      this.#ready.resolve();
    } else if (message.type === "handled") this.#waiting--;
    else if (message.type === "warning") this.#warn(message.text);
    else if (message.type === "loss") this.losses.push(message.text);
    else if (message.type === "ended") this.#ended.resolve();
    else if (message.type === "threw") {
      if (message.during === null) this.#abandon(message.message);
      else this.#fail(`${handlers[message.during]} threw: ${message.message}`);
    }
  }

  async #withTimeout(step: Promise<void>, otherwise: string): Promise<void> {
    const cancel = systemClock.at(systemClock.now() + maxStepMs, () => this.#abandon(otherwise));
    await step;
    cancel();
  }

  #fail(reason: string): void {
    if (this.#failure !== null) return;
    this.#failure = reason;
    this.#warn(`${this.name}: ${reason}`);
  }

  #abandon(reason: string): void {
    if (this.#isOver) return;
    this.#fail(reason);
    void this.close();
  }
}

/** TypeScript in the source tree, JavaScript in the package, as package.json specifies. */
const entry = new URL(import.meta.resolve("#reporter-thread"));
