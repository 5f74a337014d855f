import type { MessagePort } from "node:worker_threads";

import type { WorkerStart } from "./messages.ts";

/** The data of a thread that boots while it is not yet known what exactly it will run. */
export interface ThreadBoot {
  readonly role: WorkerStart["role"];
  /** Modules of this package that its work will need. */
  readonly modules: readonly string[];
  /** Brings its `WorkerStart`, and another when the first worker's work is done. */
  readonly line: MessagePort;
}
