import type { MessagePort } from "node:worker_threads";

import type { WorkerPort } from "@bearhug/plan/protocol/messages";

/** Wraps a message port with types. Both ends are code of this package, so messages are not validated. */
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
