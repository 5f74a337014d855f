import { once } from "node:events";
import { parentPort, type MessagePort } from "node:worker_threads";

import type { Tracer } from "@bearhug/plan/clients/tracer";
import type { Port, SecretsSeen, WorkerPort, WorkerStart } from "@bearhug/plan/protocol/messages";
import { asError } from "@bearhug/plan/protocol/read-thrown";
import type { ThreadBoot, ToThread } from "@bearhug/plan/protocol/thread-boot";
import { createMask, type Mask } from "@bearhug/text/secret-mask";

import { claimThread } from "./dedicated-thread.ts";
import { releaseEndlessWork, watchIntervals } from "./endless-work.ts";
import { maskOutput, stopHoldingLines } from "./masked-output.ts";

/** The code of each role. */
const roles = {
  load: () => import("./run-load-worker.ts"),
  definition: () => import("./run-definition-worker.ts"),
};

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

/**
 * Runs workers in a thread of their own, one after another: each that the coordinator sends to `controlPort`.
 * Their code is loaded before the first one arrives.
 */
export async function runThread({ role, modules, controlPort }: ThreadBoot): Promise<void> {
  const firstStart = once(controlPort, "message") as Promise<[WorkerStart]>;
  if (parentPort === null) throw new TypeError("worker/entry.ts runs in a worker thread only");
  const port = parentPort;
  claimThread();
  watchIntervals();
  // Registered before the test's exit listeners, so that what they print is masked and not lost.
  process.once("exit", stopHoldingLines);
  await Promise.all([roles[role](), ...modules.map((module) => import(module))]);
  const [first] = await firstStart;
  let endPrevious = (): void => undefined;
  const run = async (start: WorkerStart): Promise<void> => {
    endPrevious();
    const mask = createThreadMask(start.secrets, portOf(port));
    const releaseOutput = maskOutput(mask.hide);
    endPrevious = () => {
      port.removeAllListeners("message");
      releaseOutput();
    };
    await runWorker(start, port, mask);
  };
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
  await run(first);
}

/** Ends the thread with an uncaught error, as a rejection of its first worker does. */
function endThread(error: unknown): void {
  queueMicrotask(() => {
    throw asError(error);
  });
}

/** Wraps a message port with types. Both ends are code of this package, so messages are not validated. */
export function portOf<Sent, Received>(port: MessagePort): WorkerPort<Sent, Received> {
  return {
    send: (message) => port.postMessage(message),
    receive: (listener) => {
      port.on("message", (message: Received) => listener(message));
    },
    onClose: (listener) => {
      port.once("close", listener);
    },
  };
}

/**
 * The most secrets reported. The coordinator needs them only to mask source lines, in which only the first
 * values seen can occur.
 */
const maxReported = 1000;

/** Creates the mask of a worker's thread, which reports secrets seen in the run to the coordinator. */
export function createThreadMask(
  secrets: readonly string[],
  port: Pick<Port<SecretsSeen, never>, "send">,
): Mask {
  const mask = createMask(secrets);
  let reportedCount = 0;
  mask.onSeen((value) => {
    if (reportedCount++ < maxReported) port.send({ type: "secrets", values: [value] });
  });
  return mask;
}
