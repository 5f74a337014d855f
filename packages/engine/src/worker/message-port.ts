import type { MessagePort } from "node:worker_threads";

import type { WorkerPort } from "@bearhug/plan/protocol/messages";

/** A message port as a typed line; both ends are this package's own. */
export function portOf<Sent, Received>(port: MessagePort): WorkerPort<Sent, Received> {
  return {
    send: (message) => {
      port.postMessage(message);
    },
    receive: (listener) => {
      port.on("message", (message: Received) => {
        listener(message);
      });
    },
    onClose: (listener) => {
      port.once("close", listener);
    },
  };
}
