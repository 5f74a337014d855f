import type { ExecutorName } from "@bearhug/sdk";

/** Executors that this version runs; a plan refuses the others by name. */
export const runnableExecutors: ReadonlySet<ExecutorName> = new Set<ExecutorName>([
  "constant-vus",
  "shared-iterations",
  "constant-arrival-rate",
]);
