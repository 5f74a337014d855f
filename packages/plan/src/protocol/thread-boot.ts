import type { MessagePort } from "node:worker_threads";

import type { WorkerStart } from "./messages.ts";

/** The start data of a thread that boots before its work is known. */
export interface ThreadBoot {
  readonly role: WorkerStart["role"];
  /** Modules of this package that its work will need. */
  readonly modules: readonly string[];
  /** The port of `ToThread` messages. */
  readonly controlPort: MessagePort;
}

/**
 * A message to a thread: its work, and perhaps more work when that is done. `letEnd`: it gets no more work, and
 * ends when nothing keeps it alive. `leave`: it is no longer needed, and ends when nothing is pending in it:
 * intervals and servers do not count. `exit`: it ends now. The exit listeners of the test run in any case.
 */
export type ToThread = WorkerStart | "letEnd" | "leave" | "exit";
