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

  /** Boots the first load worker, which every run has. `workers`: how many it may have. */
  bootLoad(source: DefinitionSource, workers: number): void {
    this.#waiting.push(this.#boot("load", loadLimitMb(source, workers)));
  }

  /** Runs a worker in a thread that waits for one and may use as much memory, or else in a new one. */
  readonly launch: Launcher = (start, onOutput) => {
    const { role } = start;
    const limitMb = start.role === "load" ? loadLimitMb(start.source, start.plan.workers) : definitionLimitMb;
    const thread = this.#waiting.find((one) => one.role === role && one.limitMb === limitMb);
    this.#waiting = this.#waiting.filter((one) => one !== thread);
    // The plan has another number of workers than was expected, each with less or more memory.
    if (thread === undefined) void this.close();
    return (thread ?? this.#boot(role, limitMb)).start(start, onOutput);
  };

  /** Ends the threads that still wait. */
  async close(): Promise<void> {
    await Promise.all(this.#waiting.splice(0).map((thread) => thread.end()));
  }

  #boot(role: WorkerStart["role"], limitMb: number): BootingThread {
    return new BootingThread({ role, modules: role === "load" ? this.#modules : [] }, limitMb);
  }
}

/** The thread boots before its test is known, which may call `fetch`. */
const definitionLimitMb = heapLimitMb(1, true, totalmem());

function loadLimitMb(source: DefinitionSource, workers: number): number {
  return heapLimitMb(workers, source.kind === "module" && source.mayFetch, totalmem());
}
