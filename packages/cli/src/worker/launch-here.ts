import { MessageChannel } from "node:worker_threads";

import type { Launcher, WorkerEnd, WorkerHandle } from "../protocol/launcher.ts";
import { asError } from "../protocol/read-thrown.ts";
import { runDefinitionWorker } from "./definition-worker.ts";
import { runLoadWorker } from "./load-worker.ts";
import { portOf } from "./message-port.ts";

/** `--workers 0`: runs a worker's code in this thread, for debuggers. A test that blocks then blocks everything. */
export const launchHere: Launcher = <Sent, Received>(
  start: Parameters<Launcher>[0],
): WorkerHandle<Sent, Received> => {
  const { port1, port2 } = new MessageChannel();
  const outer = portOf<Sent, Received>(port1);
  let end: (end: WorkerEnd) => void = () => undefined;
  const ended = new Promise<WorkerEnd>((resolve) => {
    end = resolve;
  });
  const close = (error: Error | null): void => {
    port1.close();
    end({ error, exitCode: error === null ? 0 : 1 });
  };
  const run =
    start.role === "load" ? runLoadWorker(start, portOf(port2)) : runDefinitionWorker(start, portOf(port2));
  run.catch((error: unknown) => {
    close(asError(error));
  });
  return {
    ...outer,
    ended,
    isOutOfHeap: () => Promise.resolve(false),
    terminate: () => {
      close(null);
      return Promise.resolve();
    },
  };
};
