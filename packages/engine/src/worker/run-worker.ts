import type { MessagePort } from "node:worker_threads";

import type { Tracer } from "@bearhug/plan/clients/tracer";
import type { WorkerStart } from "@bearhug/plan/protocol/messages";
import type { Mask } from "@bearhug/text/secret-mask";

import { portOf } from "./message-port.ts";

/** The code of each role. */
const roles = {
  load: () => import("./run-load-worker.ts"),
  definition: () => import("./run-definition-worker.ts"),
};

/** Loads the code of a role before it is run. */
export async function loadRole(role: WorkerStart["role"]): Promise<void> {
  await roles[role]();
}

/** Runs a worker's role. */
export async function runWorker(
  start: WorkerStart,
  port: MessagePort,
  mask: Mask,
  tracer: Tracer | null = null,
): Promise<void> {
  if (start.role === "load") await (await roles.load()).runLoadWorker(start, portOf(port), mask, tracer);
  else await (await roles.definition()).runDefinitionWorker(start, portOf(port), mask, tracer);
}
