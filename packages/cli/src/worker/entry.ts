import { once } from "node:events";
import { parentPort, workerData } from "node:worker_threads";

import type { WorkerStart } from "../protocol/messages.ts";
import type { ThreadBoot } from "../protocol/thread-boot.ts";
import { asError } from "../protocol/read-thrown.ts";
import { maskOutput } from "./masked-output.ts";
import { portOf } from "./message-port.ts";
import { loadRole, runWorker } from "./run-worker.ts";
import { createThreadMask } from "./thread-mask.ts";

// The thread's own end of two lines: worker-handle.ts starts it with a ThreadBoot, and then sends a WorkerStart.
const { role, modules, line } = workerData as ThreadBoot;
const told = once(line, "message") as Promise<[WorkerStart]>;
if (parentPort === null) throw new TypeError("worker/entry.ts runs in a worker thread only");
const port = parentPort;
await Promise.all([loadRole(role), ...modules.map((module) => import(module))]);
const [first] = await told;
// The thread that described a test may become a load worker's; to wait for that does not keep it alive.
if (first.role === "definition") {
  line.once("message", (next: WorkerStart) => {
    run(next).catch(endThread);
  });
  line.unref();
} else line.close();
let endFormer = (): void => undefined;
await run(first);

/** Runs a worker in this thread, after the one before it. */
async function run(start: WorkerStart): Promise<void> {
  endFormer();
  const mask = createThreadMask(start.secrets, portOf(port));
  const releaseOutput = maskOutput(mask.hide);
  process.once("exit", releaseOutput);
  endFormer = () => {
    line.close();
    port.removeAllListeners("message");
    process.off("exit", releaseOutput);
    releaseOutput();
  };
  await runWorker(start, port, mask);
}

/** Ends the thread with the error, as a rejection of its first role does. */
function endThread(error: unknown): void {
  queueMicrotask(() => {
    throw asError(error);
  });
}
