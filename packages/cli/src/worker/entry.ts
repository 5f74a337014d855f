import { parentPort, workerData } from "node:worker_threads";

import { runDefinitionWorker } from "./definition-worker.ts";
import type { WorkerStart } from "../protocol/messages.ts";
import { runLoadWorker } from "./load-worker.ts";
import { portOf } from "./message-port.ts";

// The thread's own end of the line: what is started with `new Worker` is a WorkerStart, by worker-handle.ts.
const start = workerData as WorkerStart;
if (parentPort === null) throw new TypeError("worker/entry.ts runs in a worker thread only");
const port = parentPort;
if (start.role === "load") await runLoadWorker(start, portOf(port));
else await runDefinitionWorker(start, portOf(port));
