import { parentPort, workerData } from "node:worker_threads";

import type { WorkerStart } from "../protocol/messages.ts";
import { maskOutput } from "./masked-output.ts";
import { portOf } from "./message-port.ts";
import { createThreadMask } from "./thread-mask.ts";

// The thread's own end of the line: what is started with `new Worker` is a WorkerStart, by worker-handle.ts.
const start = workerData as WorkerStart;
if (parentPort === null) throw new TypeError("worker/entry.ts runs in a worker thread only");
const port = parentPort;
const mask = createThreadMask(start.secrets, portOf(port));
const releaseOutput = maskOutput(mask);
process.once("exit", releaseOutput);
// Each role loads what it needs alone: the transport and the histograms are the larger part of a worker's memory.
if (start.role === "load") {
  const { runLoadWorker } = await import("./run-load-worker.ts");
  await runLoadWorker(start, portOf(port), mask);
} else {
  const { runDefinitionWorker } = await import("./run-definition-worker.ts");
  await runDefinitionWorker(start, portOf(port), mask);
}
