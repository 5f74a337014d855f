import { totalmem } from "node:os";

import type { DefinitionSource } from "../protocol/definition-source.ts";
import type { Launcher } from "../protocol/launcher.ts";
import type { WorkerStart } from "../protocol/messages.ts";
import { heapLimitMb } from "./heap-limit.ts";
import { BootingThread } from "./worker-handle.ts";

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

/** The same as for a load worker, which the thread may become. */
const definitionLimitMb = heapLimitMb(1, false, totalmem());

/**
 * Returns true for a test of which nothing but its module runs before the load: no setup, and no `fetch` of its own that the
 * engine would have to replace first.
 */
function isDescribedInLoadWorker(source: DefinitionSource): boolean {
  return source.kind === "module" && !source.mayFetch && !source.mayHaveStages;
}

function loadLimitMb(source: DefinitionSource, workers: number): number {
  return heapLimitMb(workers, source.kind === "module" && source.mayFetch, totalmem());
}
