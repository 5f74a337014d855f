import { Worker } from "node:worker_threads";

import { sumBy } from "@bearhug/metrics/sum";
import { systemClock } from "@bearhug/plan/pacing/clock";
import {
  type SampleKind,
  type SampleRule,
  type SampleTaker,
  SharedSamples,
} from "@bearhug/plan/protocol/shared-samples";
import { type IntervalSnapshot, InvalidInput, type RunDescription, type TestResult } from "@bearhug/sdk";
import { errorMessage } from "@bearhug/text/caught-error";

import { readSampleRule } from "./sample-rule.ts";
import type { FromNdjsonThread, NdjsonStart, ToNdjsonThread } from "./messages.ts";

/** The longest time to open the file, and to write the rest at the end. */
const longestMs = 60_000;

/** The stream of a run: a file that a separate thread writes while the run lasts. */
export class NdjsonFile {
  readonly name = "ndjson";
  readonly path: string;
  /** Null if no samples are written. */
  readonly samples: SampleTaker | null;
  readonly #worker: Worker;
  readonly #warn: (text: string) => void;
  readonly #rings: SharedSamples[] = [];
  #settle: () => void = () => undefined;
  #isOpen = false;
  #isOver = false;
  /** The first error; null if there was none. */
  #failure: string | null = null;

  private constructor(path: string, rule: SampleRule | null, warn: (text: string) => void) {
    this.path = path;
    this.#warn = warn;
    this.samples = rule === null ? null : this.#taker(rule);
    const workerData: NdjsonStart = { path, hasSamples: rule !== null };
    this.#worker = new Worker(entry, { workerData });
    this.#worker.on("message", (message: FromNdjsonThread) => {
      if (message.type === "failed") this.#fail(message.message);
      if (message.type === "open") this.#isOpen = true;
      if (message.type !== "failed" || !this.#isOpen) this.#settle();
    });
    this.#worker.on("error", (error) => {
      this.#fail(errorMessage(error));
      this.#isOver = true;
      this.#settle();
    });
  }

  /** Opens the file, whose content the run's first line replaces. Rejects if that fails. */
  static async open(
    path: string,
    rule: SampleRule | null,
    warn: (text: string) => void,
  ): Promise<NdjsonFile> {
    const file = new NdjsonFile(path, rule, warn);
    await file.#wait("it could not be opened in 60 s");
    if (file.#failure === null) return file;
    await file.close();
    throw new Error(file.#failure);
  }

  onStart(run: RunDescription): void {
    this.#send({ type: "run", run });
  }

  onInterval(snapshot: IntervalSnapshot): void {
    this.#send({ type: "interval", snapshot });
  }

  /** Rejects with the first error of the run. */
  async onEnd({ verdict, exitCode, messages, notes, partial }: TestResult): Promise<void> {
    const end = { verdict, exitCode, messages, notes, ...(partial && { partial }) };
    this.#send({ type: "end", end });
    await this.#wait("its last lines could not be written in 60 s");
    if (this.#failure !== null) throw new Error(this.#failure);
  }

  /** Adds to a result how many samples are missing, if any. */
  addShedNote(result: TestResult): TestResult {
    const shed = sumBy(this.#rings, (ring) => ring.shed);
    if (shed === 0) return result;
    const note = `${this.path} lacks ${shed} samples: they came faster than they could be written`;
    this.#warn(note);
    return { ...result, notes: [...result.notes, note] };
  }

  /** Ends the writing thread. */
  async close(): Promise<void> {
    this.#isOver = true;
    await this.#worker.terminate();
  }

  #taker(rule: SampleRule): SampleTaker {
    return {
      rule,
      join: (workerId: number) => {
        const ring = new SharedSamples();
        this.#rings.push(ring);
        this.#send({ type: "join", workerId, ring: ring.buffer });
        return ring.buffer;
      },
      define: (workerId: number, kind: SampleKind) => this.#send({ type: "define", workerId, kind }),
    };
  }

  #send(message: ToNdjsonThread): void {
    if (!this.#isOver) this.#worker.postMessage(message);
  }

  /** Waits for the thread's next message; `otherwise` is the failure if none comes in time. */
  async #wait(otherwise: string): Promise<void> {
    if (this.#isOver) return;
    await new Promise<void>((resolve) => {
      const cancel = systemClock.at(systemClock.now() + longestMs, () => {
        this.#fail(otherwise);
        resolve();
      });
      this.#settle = () => {
        cancel();
        resolve();
      };
    });
  }

  #fail(reason: string): void {
    if (this.#failure !== null) return;
    this.#failure = reason;
    if (this.#isOpen) this.#warn(`${this.path}: ${reason}`);
  }
}

/**
 * Opens the stream of a run; null if none is requested.
 * @param samples which requests are sampled, as `--samples` says; absent for none
 * @throws {InvalidInput} if the file cannot be written
 */
export async function openNdjson(
  path: string | null,
  samples: string | undefined,
  warn: (text: string) => void,
): Promise<NdjsonFile | null> {
  if (path === null) return null;
  const rule = readSampleRule(samples, path, []);
  try {
    return await NdjsonFile.open(path, rule, warn);
  } catch (error) {
    const reason = errorMessage(error);
    throw new InvalidInput([`--out ndjson=${path}: ${reason}. Choose another path.`]);
  }
}

/** TypeScript in the source tree, JavaScript in the package, as package.json maps it. */
const entry = new URL(import.meta.resolve("#ndjson"));
