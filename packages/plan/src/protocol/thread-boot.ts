import type { MessagePort } from "node:worker_threads";

import type { WorkerStart } from "./messages.ts";

/** The data of a thread that boots while it is not yet known what exactly it will run. */
export interface ThreadBoot {
  readonly role: WorkerStart["role"];
  /** Modules of this package that its work will need. */
  readonly modules: readonly string[];
  /** Brings what it is to do. */
  readonly line: MessagePort;
}

/**
 * The orders to a thread: its work, and perhaps another when the first is done. `leave`: it is not needed any more, and ends when
 * nothing goes on in it. `exit`: it ends now. The exit listeners of the test run in either case.
 */
export type ToThread = WorkerStart | "leave" | "exit";
