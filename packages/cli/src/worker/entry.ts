import { once } from "node:events";
import { parentPort, workerData } from "node:worker_threads";

import type { WorkerStart } from "../protocol/messages.ts";
import type { ThreadBoot } from "../protocol/thread-boot.ts";
import { maskOutput } from "./masked-output.ts";
import { portOf } from "./message-port.ts";
import { loadRole, runWorker } from "./run-worker.ts";
import { createThreadMask } from "./thread-mask.ts";

// The thread's own end of two lines: worker-handle.ts starts it with a ThreadBoot, and then sends a WorkerStart.
const { role, modules, line } = workerData as ThreadBoot;
const told = once(line, "message") as Promise<[WorkerStart]>;
if (parentPort === null) throw new TypeError("worker/entry.ts runs in a worker thread only");
await Promise.all([loadRole(role), ...modules.map((module) => import(module))]);
const [start] = await told;
line.close();
const mask = createThreadMask(start.secrets, portOf(parentPort));
const releaseOutput = maskOutput(mask);
process.once("exit", releaseOutput);
await runWorker(start, parentPort, mask);
