import { once } from "node:events";
import { totalmem } from "node:os";
import { MessageChannel, type MessagePort, Worker } from "node:worker_threads";

import { systemClock } from "@bearhug/plan/pacing/clock";
import { isDescribedInLoadWorker, type DefinitionSource } from "@bearhug/plan/protocol/definition-source";
import type { Launcher, WorkerEnd, WorkerHandle } from "@bearhug/plan/protocol/launcher";
import type { WorkerStart } from "@bearhug/plan/protocol/messages";
import { asError } from "@bearhug/plan/protocol/read-thrown";
import type { ThreadBoot, ToThread } from "@bearhug/plan/protocol/thread-boot";

/** The threads of a run. Those that it will surely need can boot while its test is still being read. */
export class ThreadPool {
  readonly #modules: readonly string[];
  #waiting: BootingThread[] = [];

  /** `modules`: the worker part of each client that virtual users will have. */
  constructor(modules: readonly string[]) {
    this.#modules = modules;
  }

  /** Boots the thread that will load the test. */
  bootDefinition(): void {
    this.#waiting.push(this.#boot("definition", definitionLimitMb));
  }

  /** Boots the first load worker, unless it will be the thread that describes the test. `workers`: how many the run may have. */
  bootLoad(source: DefinitionSource, workers: number): void {
    if (isDescribedInLoadWorker(source)) return;
    this.#waiting.push(this.#boot("load", loadLimitMb(source, workers)));
  }

  /** Runs a worker in a thread that waits for one and may use as much memory, or else in a new one. */
  readonly launch: Launcher = (start, onOutput) => {
    const { role } = start;
    const limitMb = start.role === "load" ? loadLimitMb(start.source, start.plan.workers) : definitionLimitMb;
    const waiting = this.#waiting.find((one) => one.role === role && one.limitMb === limitMb && one.isAlive);
    this.#waiting = this.#waiting.filter((one) => one !== waiting);
    // The plan has another number of workers than was expected, each with less or more memory.
    if (waiting === undefined) void this.close();
    const thread = waiting ?? this.#boot(role, limitMb);
    return thread.start(start, onOutput, () => {
      this.#release(thread, start);
    });
  };

  /** Reuses the thread that described a test for a load worker, if only the test's module ran in it. */
  #release(thread: BootingThread, { role, source }: WorkerStart): void {
    if (role === "definition" && isDescribedInLoadWorker(source)) {
      thread.role = "load";
      this.#waiting.push(thread);
    }
    // The load does not wait for it.
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

/** Below 2 GiB, V8 lets the old generation grow by half as much between two collections, or by less. */
const mostMb = { withFetch: 2048, without: 1536 };
const leastMb = 384;

/** All workers together may fill this share of the machine's memory. */
const machineShare = 0.75;

/**
 * V8's limit for the heap of a worker: a test that leaks must run into it before the machine runs out of memory. `fetch` leaves
 * much that only a full collection frees. Where no code calls it, V8 uses less memory below a lower limit.
 */
export function heapLimitMb(workers: number, mayFetch: boolean, machineBytes: number): number {
  const mb = (machineShare * machineBytes) / 2 ** 20 / (workers + 1);
  return Math.max(leastMb, Math.min(mayFetch ? mostMb.withFetch : mostMb.without, Math.floor(mb)));
}

/**
 * The most that a heap may take. V8 begins a collection at the latest halfway between what survived the last one and the
 * limit: when a heap takes three quarters of the limit, about half of the limit is live. Near the limit, V8 collects over and
 * over, and when even that does not help it ends the whole process, results and all.
 */
export function mostUsedBytes(limitMb: number): number {
  return 0.75 * limitMb * 2 ** 20;
}

/** The same as for a load worker, which the thread may become. */
const definitionLimitMb = heapLimitMb(1, false, totalmem());

function loadLimitMb(source: DefinitionSource, workers: number): number {
  return heapLimitMb(workers, source.kind === "module" && source.mayFetch, totalmem());
}

/**
 * The memory for young objects in a worker. Few of them live at a time, and memory that fits the processor's cache is collected at less cost;
 * V8's own choice would take 128 MB for it.
 */
const youngGenerationMb = 16;

/** A thread that boots and loads its role's code, and then waits for its work. No code of the user's runs before. */
class BootingThread {
  /** The role of the worker that it runs, or waits for. */
  role: WorkerStart["role"];
  /** V8's limit for its heap. */
  readonly limitMb: number;
  readonly #worker: Worker;
  readonly #line: MessagePort;
  readonly #ended: Promise<WorkerEnd>;
  /** All that it printed has been told, too. */
  readonly #isSilent: Promise<unknown>;
  #hasEnded = false;
  #tellOutput: (text: string) => void = () => undefined;
  #receive: (message: unknown) => void = () => undefined;

  constructor({ role, modules }: Omit<ThreadBoot, "line">, limitMb: number) {
    const { port1, port2 } = new MessageChannel();
    this.role = role;
    this.limitMb = limitMb;
    this.#line = port1;
    const boot: ThreadBoot = { role, modules, line: port2 };
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
    this.#isSilent = Promise.all(
      [this.#worker.stdout, this.#worker.stderr].map((stream) => once(stream, "end")),
    );
    void this.#ended.then(() => {
      this.#hasEnded = true;
    });
    this.#listen();
  }

  /** True if it may still run a worker. */
  get isAlive(): boolean {
    return !this.#hasEnded;
  }

  #listen(): void {
    const worker = this.#worker;
    for (const stream of [worker.stdout, worker.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        this.#tellOutput(text);
      });
    }
    worker.on("message", (message: unknown) => {
      this.#receive(message);
    });
  }

  /** Gives it its work. After a release, it may get other work. */
  start<Sent, Received>(
    start: WorkerStart,
    onOutput: (text: string) => void,
    onRelease: () => void,
  ): WorkerHandle<Sent, Received> {
    const worker = this.#worker;
    this.#tellOutput = onOutput;
    this.#tell(start);
    return {
      send: (message) => {
        worker.postMessage(message);
      },
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
        // Answered between two steps of whatever the thread runs, an endless loop included.
        const { used_heap_size: usedBytes } = await worker.getHeapStatistics();
        return usedBytes > mostUsedBytes(this.limitMb);
      },
      letEnd: () => {
        this.#tell("leave");
      },
      leave: () => this.leave(),
      terminate: () => this.end(),
    };
  }

  #tell(what: ToThread): void {
    this.#line.postMessage(what);
  }

  /** Lets it end by itself, and ends it if it takes too long. */
  async leave(): Promise<void> {
    this.#hasEnded = true;
    this.#tell("leave");
    const gone = Promise.all([this.#ended, this.#isSilent]);
    if (await isInTime(gone, leaveMs)) return;
    this.#tell("exit");
    await isInTime(gone, exitMs);
    await this.end();
  }

  /** Ends it, whatever it is doing. */
  end(): Promise<void> {
    this.#hasEnded = true;
    return terminated(this.#worker);
  }
}

/** A thread that has left may finish what the code of its test began for so long, in ms. */
const leaveMs = 500;
/** Exit listeners may take so long, in ms. */
const exitMs = 500;

/** Resolves to true once the promise has resolved, and to false when that takes longer. */
async function isInTime(promise: Promise<unknown>, limitMs: number): Promise<boolean> {
  let cancel: () => void = () => undefined;
  const late = new Promise<false>((resolve) => {
    cancel = systemClock.at(systemClock.now() + limitMs, () => {
      resolve(false);
    });
  });
  const result = await Promise.race([promise.then(() => true), late]);
  cancel();
  return result;
}

function endOf(worker: Worker): Promise<WorkerEnd> {
  let error: Error | null = null;
  worker.on("error", (cause: unknown) => {
    error = asError(cause);
  });
  return new Promise((resolve) => {
    worker.once("exit", (exitCode) => {
      resolve({ error, exitCode });
    });
  });
}

/** The time that a thread has to end after it was told to, in ms. */
const terminateMs = 500;

/** Its code ends at once; a look-up that hangs in a thread of the system's cannot be cancelled, and is not waited for. */
function terminated(worker: Worker): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancel = systemClock.at(systemClock.now() + terminateMs, resolve);
    worker.terminate().then(() => {
      cancel();
      resolve();
    }, reject);
  });
}

/** TypeScript in the source tree, JavaScript in the package: package.json says which. */
const entry = new URL(import.meta.resolve("#worker"));
