import { Worker } from "node:worker_threads";

import type { IntervalSnapshot, RunDescription, TestResult } from "@bearhug/sdk";

import { InvalidInput } from "../invalid-input.ts";
import { systemClock, every } from "../pacing/clock.ts";
import { bundleTest } from "../test-file/bundle.ts";
import { handlers, type FromReporterThread, type ToReporterThread } from "./messages.ts";

const pingEveryMs = 1000;
/** Pings without an answer after which a thread counts as blocked: 5 s. Counted, since this thread may be busy itself. */
const mostUnanswered = 5;
/** The longest that a reporter may take to load, and to end. */
const longestMs = 60_000;
/** Snapshots that wait for a reporter that is slow: a minute's. What comes then is lost to it. */
const mostWaiting = 60;

/** A user's reporter in a thread of its own. */
export class OwnReporter {
  /** The file, as the user named it. */
  readonly name: string;
  wantsSeries = false;
  readonly #worker: Worker;
  readonly #warn: (text: string) => void;
  readonly #endPings: () => void;
  readonly #ready: Promise<void>;
  readonly #ended: Promise<void>;
  #markReady: () => void = () => undefined;
  #markEnded: () => void = () => undefined;
  #unanswered = 0;
  #waiting = 0;
  #lost = 0;
  #isOver = false;
  /** The first that went wrong; null where nothing did. */
  #failure: string | null = null;

  constructor(name: string, bundlePath: string, warn: (text: string) => void) {
    this.name = name;
    this.#warn = warn;
    this.#ready = new Promise((resolve) => {
      this.#markReady = resolve;
    });
    this.#ended = new Promise((resolve) => {
      this.#markEnded = resolve;
    });
    this.#worker = new Worker(entry, { workerData: bundlePath });
    this.#worker.on("message", (message: FromReporterThread) => {
      this.#receive(message);
    });
    this.#worker.on("error", (error) => {
      this.#abandon(`crashed: ${error instanceof Error ? error.message : String(error)}`);
    });
    this.#worker.on("exit", () => {
      this.#abandon("ended its thread before the run was over");
    });
    this.#endPings = every(systemClock, pingEveryMs, () => {
      this.#ping();
    });
  }

  /** Resolves when it can be told of the run. Rejects where its file cannot be loaded. */
  async load(): Promise<void> {
    await this.#inTime(this.#ready, "was still loading after 60 s");
    if (this.#failure !== null) throw new Error(this.#failure);
  }

  onStart(run: RunDescription): void {
    this.#send({ type: "start", run });
  }

  onInterval(snapshot: IntervalSnapshot): void {
    if (this.#waiting === mostWaiting) {
      this.#lost++;
      return;
    }
    this.#waiting++;
    this.#send({ type: "interval", snapshot });
  }

  /** Rejects with the first that went wrong in the run. */
  async onEnd(result: TestResult): Promise<void> {
    this.#send({ type: "end", result });
    await this.#inTime(this.#ended, "had not ended 60 s after the run");
    if (this.#lost > 0) this.#fail(`was too slow: ${this.#lost} snapshots were lost`);
    if (this.#failure !== null) throw new Error(this.#failure);
  }

  /** Ends its thread. */
  async close(): Promise<void> {
    this.#isOver = true;
    this.#endPings();
    this.#markReady();
    this.#markEnded();
    await this.#worker.terminate();
  }

  #send(message: ToReporterThread): void {
    if (!this.#isOver) this.#worker.postMessage(message);
  }

  #ping(): void {
    if (this.#unanswered >= mostUnanswered) {
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
      this.#markReady();
    } else if (message.type === "handled") this.#waiting--;
    else if (message.type === "ended") this.#markEnded();
    else if (message.type === "threw") {
      if (message.during === null) this.#abandon(message.message);
      else this.#fail(`${handlers[message.during]} threw: ${message.message}`);
    }
  }

  async #inTime(step: Promise<void>, otherwise: string): Promise<void> {
    const cancel = systemClock.at(systemClock.now() + longestMs, () => {
      this.#abandon(otherwise);
    });
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

/**
 * Bundles and starts the reporters in these files, each in a thread of its own, in which it cannot hold up the load.
 * @throws {InvalidInput} with one sentence for each file that cannot be loaded
 */
export async function openReporters(
  files: readonly string[],
  warn: (text: string) => void,
): Promise<OwnReporter[]> {
  const opened: OwnReporter[] = [];
  const problems: string[] = [];
  for (const file of files) {
    try {
      opened.push(await open(file, warn));
    } catch (error) {
      if (error instanceof InvalidInput) problems.push(...error.problems);
      else problems.push(`--out ${file}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  if (problems.length === 0) return opened;
  await Promise.all(opened.map((reporter) => reporter.close()));
  throw new InvalidInput(problems);
}

async function open(file: string, warn: (text: string) => void): Promise<OwnReporter> {
  const bundle = await bundleTest(file);
  try {
    let isLoaded = false;
    const reporter = new OwnReporter(file, bundle.path, (text) => {
      if (isLoaded) warn(text);
    });
    await reporter.load();
    isLoaded = true;
    return reporter;
  } finally {
    bundle.remove();
  }
}

/** Of this file's own kind, by package.json: TypeScript in the source tree, JavaScript in the package. */
const entry = new URL(import.meta.resolve("#reporter-thread"));
