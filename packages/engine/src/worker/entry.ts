import { workerData } from "node:worker_threads";

import type { ThreadBoot } from "@bearhug/plan/protocol/thread-boot";

import { runThread } from "./run-worker.ts";

// thread-pool.ts starts this thread, and sends the workers to run.
await runThread(workerData as ThreadBoot);
