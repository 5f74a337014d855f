import { totalmem } from "node:os";
import { Worker } from "node:worker_threads";

import { systemClock } from "../pacing/clock.ts";
import type { Launcher, WorkerHandle } from "../protocol/launcher.ts";
import type { WorkerStart } from "../protocol/messages.ts";
import { asError } from "../protocol/read-thrown.ts";
import { heapLimitMb, mostUsedBytes } from "./heap-limit.ts";

/**
 * The memory for young objects in a worker. Few of them live at a time, and memory that fits the processor's cache is collected at less cost;
 * V8's own choice would take 128 MB for it.
 */
const youngGenerationMb = 16;

/** Runs the worker in a thread of its own. */
export const launchThread: Launcher = <Sent, Received>(
  start: WorkerStart,
  onOutput: (text: string) => void,
): WorkerHandle<Sent, Received> => {
  const { source } = start;
  const mayFetch = source.kind === "module" && source.mayFetch;
  const limitMb = heapLimitMb(start.role === "load" ? start.plan.workers : 1, mayFetch, totalmem());
  const worker = new Worker(entry, {
    workerData: start,
    stdout: true,
    stderr: true,
    resourceLimits: {
      maxOldGenerationSizeMb: limitMb,
      maxYoungGenerationSizeMb: youngGenerationMb,
    },
  });
  for (const stream of [worker.stdout, worker.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      onOutput(text);
    });
  }
  let error: Error | null = null;
  worker.on("error", (cause: unknown) => {
    error = asError(cause);
  });
  return {
    send: (message) => {
      worker.postMessage(message);
    },
    receive: (listener) => {
      worker.on("message", (message: Received) => {
        listener(message);
      });
    },
    ended: new Promise((resolve) => {
      worker.once("exit", (exitCode) => {
        resolve({ error, exitCode });
      });
    }),
    isOutOfHeap: async () => {
      // Answered between two steps of whatever the thread runs, an endless loop included.
      const { used_heap_size: usedBytes } = await worker.getHeapStatistics();
      return usedBytes > mostUsedBytes(limitMb);
    },
    terminate: () => ended(worker),
  };
};

/** The time that a thread has to end after it was told to, in ms. */
const terminateMs = 500;

/** Its code ends at once; a look-up that hangs in a thread of the system's cannot be cancelled, and is not waited for. */
function ended(worker: Worker): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancel = systemClock.at(systemClock.now() + terminateMs, resolve);
    worker.terminate().then(() => {
      cancel();
      resolve();
    }, reject);
  });
}

/** Of this file's own kind, by package.json: TypeScript in the source tree, JavaScript in the package. */
const entry = new URL(import.meta.resolve("#worker"));
