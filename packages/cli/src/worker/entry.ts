import { parentPort, workerData } from "node:worker_threads";

import type { WorkerStart } from "../protocol/messages.ts";
import { maskOutput } from "./masked-output.ts";
import { portOf } from "./message-port.ts";
import { runWorker } from "./run-worker.ts";
import { createThreadMask } from "./thread-mask.ts";

// The thread's own end of the line: what is started with `new Worker` is a WorkerStart, by worker-handle.ts.
const start = workerData as WorkerStart;
if (parentPort === null) throw new TypeError("worker/entry.ts runs in a worker thread only");
const mask = createThreadMask(start.secrets, portOf(parentPort));
const releaseOutput = maskOutput(mask);
process.once("exit", releaseOutput);
await runWorker(start, parentPort, mask);
