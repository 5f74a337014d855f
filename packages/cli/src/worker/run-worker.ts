import type { MessagePort } from "node:worker_threads";

import type { WorkerStart } from "../protocol/messages.ts";
import type { Mask } from "../secret-mask.ts";
import { portOf } from "./message-port.ts";

/** Runs a worker's role. Each loads what it needs alone: transport and histograms are the larger part of a worker's memory. */
export async function runWorker(start: WorkerStart, port: MessagePort, mask: Mask): Promise<void> {
  if (start.role === "load") {
    const { runLoadWorker } = await import("./run-load-worker.ts");
    await runLoadWorker(start, portOf(port), mask);
  } else {
    const { runDefinitionWorker } = await import("./run-definition-worker.ts");
    await runDefinitionWorker(start, portOf(port), mask);
  }
}
