import { once } from "node:events";
import { parentPort, workerData } from "node:worker_threads";

import type { WorkerStart } from "@bearhug/plan/protocol/messages";
import { asError } from "@bearhug/plan/protocol/read-thrown";
import type { ThreadBoot, ToThread } from "@bearhug/plan/protocol/thread-boot";

import { holdNothing, maskOutput } from "./masked-output.ts";
import { portOf } from "./message-port.ts";
import { claimThread } from "./own-thread.ts";
import { loadRole, runWorker } from "./run-worker.ts";
import { createThreadMask } from "./thread-mask.ts";

// The thread's own end of two lines: thread-pool.ts starts it with a ThreadBoot, and then sends what it is to do.
const { role, modules, line } = workerData as ThreadBoot;
const told = once(line, "message") as Promise<[WorkerStart]>;
if (parentPort === null) throw new TypeError("worker/entry.ts runs in a worker thread only");
const port = parentPort;
claimThread();
// Before the listeners of the test: what they print is masked, and arrives.
process.once("exit", holdNothing);
await Promise.all([loadRole(role), ...modules.map((module) => import(module))]);
const [first] = await told;
// The thread that described a test may become a load worker's; to wait for that does not keep it alive.
line.on("message", (next: ToThread) => {
  // Ends as soon as nothing of the test's code keeps it alive.
  if (next === "leave") port.unref();
  else if (next === "exit") process.exit();
  else run(next).catch(endThread);
});
line.unref();
let endFormer = (): void => undefined;
await run(first);

/** Runs a worker in this thread, after the one before it. */
async function run(start: WorkerStart): Promise<void> {
  endFormer();
  const mask = createThreadMask(start.secrets, portOf(port));
  const releaseOutput = maskOutput(mask.hide);
  endFormer = () => {
    port.removeAllListeners("message");
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
