import { once } from "node:events";
import { totalmem } from "node:os";
import { MessageChannel, type MessagePort, Worker } from "node:worker_threads";

import { awaitUntil, systemClock } from "@bearhug/plan/pacing/clock";
import { isDescribedInLoadWorker, type DefinitionSource } from "@bearhug/plan/protocol/definition-source";
import type { Launcher, WorkerEnd, WorkerHandle } from "@bearhug/plan/protocol/launcher";
import type { WorkerStart } from "@bearhug/plan/protocol/messages";
import { asError } from "@bearhug/plan/protocol/read-thrown";
import type { ThreadBoot, ToThread } from "@bearhug/plan/protocol/thread-boot";

/** The threads of a run. Threads that it is sure to need can boot while its test is still being read. */
export class ThreadPool {
  readonly #modules: readonly string[];
  #waiting: BootingThread[] = [];

  /** `modules` are the worker parts of the clients that virtual users will have. */
  constructor(modules: readonly string[]) {
    this.#modules = modules;
  }

  /** Boots the thread that will load the test. */
  bootDefinition(): void {
    this.#waiting.push(this.#boot("definition", definitionLimitMb));
  }

  /**
   * Boots the first load worker, unless the thread that describes the test will become it. `workers` is their
   * expected number.
   */
  bootLoad(source: DefinitionSource, workers: number): void {
    if (isDescribedInLoadWorker(source)) return;
    this.#waiting.push(this.#boot("load", loadLimitMb(source, workers)));
  }

  /** Runs a worker in a waiting thread with the same memory limit, or in a new one. */
  readonly launch: Launcher = (start, onOutput) => {
    const { role } = start;
    const limitMb = start.role === "load" ? loadLimitMb(start.source, start.plan.workers) : definitionLimitMb;
    const waiting = this.#waiting.find((one) => one.role === role && one.limitMb === limitMb && one.isAlive);
    this.#waiting = this.#waiting.filter((one) => one !== waiting);
    // The plan has a different number of workers than expected, and so a different memory limit for each.
    if (waiting === undefined) void this.close();
    const thread = waiting ?? this.#boot(role, limitMb);
    return thread.start(start, onOutput, () => this.#release(thread, start));
  };

  /** Reuses the thread that described a test for a load worker, if only the test's module ran in it. */
  #release(thread: BootingThread, { role, source }: WorkerStart): void {
    if (role === "definition" && isDescribedInLoadWorker(source)) {
      thread.role = "load";
      this.#waiting.push(thread);
    }
    // The load does not wait for the thread's end.
    else void thread.leave();
  }

  /** Ends the threads that still wait. */
  async close(): Promise<void> {
    await Promise.all(this.#waiting.splice(0).map((thread) => thread.end()));
  }

  #boot(role: WorkerStart["role"], limitMb: number): BootingThread {
    return new BootingThread({ role, modules: this.#modules }, limitMb);
  }
}

/** Below 2 GiB, V8 lets the old generation grow by at most half as much between two collections. */
const maxMb = { withFetch: 2048, without: 1536 };
const minMb = 384;

/** The share of the machine's memory that all workers together may use. */
const machineShare = 0.75;

/**
 * Returns V8's heap limit for a worker. A test that leaks must reach it before the machine runs out of
 * memory. `fetch` leaves much garbage that only a full collection frees; without it, a lower limit makes V8
 * use less memory.
 */
export function heapLimitMb(workers: number, mayFetch: boolean, machineBytes: number): number {
  const mb = (machineShare * machineBytes) / 2 ** 20 / (workers + 1);
  return Math.max(minMb, Math.min(mayFetch ? maxMb.withFetch : maxMb.without, Math.floor(mb)));
}

/**
 * Returns the heap use at which a worker is abandoned. V8 starts a collection at the latest halfway between
 * what survived the last one and the limit: when a heap fills three quarters of the limit, about half of the
 * limit is live. Near the limit, V8 collects over and over, and if that does not help, it ends the whole
 * process, and the results are lost.
 */
export function maxUsedBytes(limitMb: number): number {
  return 0.75 * limitMb * 2 ** 20;
}

/** The same limit as for a single load worker, because the thread may become one. */
const definitionLimitMb = heapLimitMb(1, false, totalmem());

function loadLimitMb(source: DefinitionSource, workers: number): number {
  return heapLimitMb(workers, source.kind === "module" && source.mayFetch, totalmem());
}

/**
 * V8's memory for young objects in a worker. Few of them live at a time, and collection is cheaper in memory
 * that fits the processor's cache. V8's default would take 128 MB.
 */
const youngGenerationMb = 16;

/**
 * A thread that boots, loads the code of its role, and then waits for a worker to run. Until then, no user
 * code runs.
 */
class BootingThread {
  /** The role of the worker that it runs or waits for. */
  role: WorkerStart["role"];
  /** V8's limit for its heap. */
  readonly limitMb: number;
  readonly #worker: Worker;
  readonly #controlPort: MessagePort;
  readonly #ended: Promise<WorkerEnd>;
  /** Resolves when all of its output has been passed on. */
  readonly #outputEnded: Promise<unknown>;
  #hasEnded = false;
  #onOutput: (text: string) => void = () => undefined;
  #receive: (message: unknown) => void = () => undefined;

  constructor({ role, modules }: Omit<ThreadBoot, "controlPort">, limitMb: number) {
    const { port1, port2 } = new MessageChannel();
    this.role = role;
    this.limitMb = limitMb;
    this.#controlPort = port1;
    const boot: ThreadBoot = { role, modules, controlPort: port2 };
    this.#worker = new Worker(entry, {
      workerData: boot,
      transferList: [port2],
      stdout: true,
      stderr: true,
      resourceLimits: {
        maxOldGenerationSizeMb: limitMb,
        maxYoungGenerationSizeMb: youngGenerationMb,
      },
    });
    this.#ended = endOf(this.#worker);
    this.#outputEnded = Promise.all(
      [this.#worker.stdout, this.#worker.stderr].map((stream) => once(stream, "end")),
    );
    void this.#ended.then(() => {
      this.#hasEnded = true;
    });
    this.#listen();
  }

  /** True if it can still run a worker. */
  get isAlive(): boolean {
    return !this.#hasEnded;
  }

  #listen(): void {
    const worker = this.#worker;
    for (const stream of [worker.stdout, worker.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => this.#onOutput(text));
    }
    worker.on("message", (message: unknown) => this.#receive(message));
  }

  /** Starts a worker in the thread. After a release, another can be started. */
  start<Sent, Received>(
    start: WorkerStart,
    onOutput: (text: string) => void,
    onRelease: () => void,
  ): WorkerHandle<Sent, Received> {
    const worker = this.#worker;
    this.#onOutput = onOutput;
    this.#send(start);
    return {
      send: (message) => worker.postMessage(message),
      receive: (listener) => {
        this.#receive = (message) => {
          // This package writes both ends of the channel.
          listener(message as Received);
        };
      },
      ended: this.#ended,
      release: () => {
        onRelease();
        return Promise.resolve();
      },
      isOutOfHeap: async () => {
        // V8 interrupts the thread's code to answer, even in an endless loop.
        const { used_heap_size: usedBytes } = await worker.getHeapStatistics();
        return usedBytes > maxUsedBytes(this.limitMb);
      },
      letEnd: () => this.#send("letEnd"),
      leave: () => this.leave(),
      terminate: () => this.end(),
    };
  }

  #send(what: ToThread): void {
    this.#controlPort.postMessage(what);
  }

  /** Lets the thread end by itself, and terminates it if that takes too long. */
  async leave(): Promise<void> {
    this.#hasEnded = true;
    this.#send("leave");
    const gone = Promise.all([this.#ended, this.#outputEnded]);
    if (await resolvesInTime(gone, leaveMs)) return;
    this.#send("exit");
    await resolvesInTime(gone, exitMs);
    await this.end();
  }

  /**
   * Terminates the thread, whatever it is doing. Its code ends at once, but a hanging DNS lookup cannot be
   * cancelled and is not waited for.
   */
  async end(): Promise<void> {
    this.#hasEnded = true;
    await awaitUntil(systemClock, systemClock.now() + terminateMs, this.#worker.terminate());
  }
}

/** The time that a leaving thread has to finish work of the test's code, in ms. */
const leaveMs = 500;
/** The time for exit listeners, in ms. */
const exitMs = 500;
/** The longest wait for the end of a terminated thread, in ms. */
const terminateMs = 500;

/** Resolves to true if the promise resolves within the limit, otherwise to false. */
async function resolvesInTime(promise: Promise<unknown>, limitMs: number): Promise<boolean> {
  const resolved = promise.then(() => true);
  return (await awaitUntil(systemClock, systemClock.now() + limitMs, resolved)) !== null;
}

function endOf(worker: Worker): Promise<WorkerEnd> {
  let error: Error | null = null;
  worker.on("error", (cause: unknown) => {
    error = asError(cause);
  });
  return new Promise((resolve) => {
    worker.once("exit", (exitCode) => resolve({ error, exitCode }));
  });
}

/** TypeScript in the source tree, JavaScript in the published package: package.json maps `#worker`. */
const entry = new URL(import.meta.resolve("#worker"));
