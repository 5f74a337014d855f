import { once } from "node:events";
import { parentPort, workerData } from "node:worker_threads";

import type { WorkerStart } from "@bearhug/plan/protocol/messages";
import { asError } from "@bearhug/plan/protocol/read-thrown";
import type { ThreadBoot, ToThread } from "@bearhug/plan/protocol/thread-boot";

import { maskOutput, stopHoldingLines } from "./masked-output.ts";
import { portOf } from "./message-port.ts";
import { claimThread } from "./dedicated-thread.ts";
import { releaseEndlessWork, watchIntervals } from "./endless-work.ts";
import { loadRole, runWorker } from "./run-worker.ts";
import { createThreadMask } from "./thread-mask.ts";

// thread-pool.ts starts this thread with a ThreadBoot, then sends the worker to run to `controlPort`.
const { role, modules, controlPort } = workerData as ThreadBoot;
const firstStart = once(controlPort, "message") as Promise<[WorkerStart]>;
if (parentPort === null) throw new TypeError("worker/entry.ts runs in a worker thread only");
const port = parentPort;
claimThread();
watchIntervals();
// Registered before the test's exit listeners, so that what they print is masked and not lost.
process.once("exit", stopHoldingLines);
await Promise.all([loadRole(role), ...modules.map((module) => import(module))]);
const [first] = await firstStart;
// The thread that described a test may be reused for a load worker; waiting for that must not keep it alive.
controlPort.on("message", (next: ToThread) => {
  // The thread then ends as soon as none of the test's code keeps it alive.
  if (next === "letEnd") port.unref();
  else if (next === "leave") {
    port.unref();
    releaseEndlessWork();
  } else if (next === "exit") process.exit();
  else run(next).catch(endThread);
});
controlPort.unref();
let endPrevious = (): void => undefined;
await run(first);

/** Runs a worker in this thread, in place of the one before it. */
async function run(start: WorkerStart): Promise<void> {
  endPrevious();
  const mask = createThreadMask(start.secrets, portOf(port));
  const releaseOutput = maskOutput(mask.hide);
  endPrevious = () => {
    port.removeAllListeners("message");
    releaseOutput();
  };
  await runWorker(start, port, mask);
}

/** Ends the thread with an uncaught error, as a rejection of its first worker does. */
function endThread(error: unknown): void {
  queueMicrotask(() => {
    throw asError(error);
  });
}
