import type { WorkerResult } from "@bearhug/sdk/internal";

import type { Finding } from "./finding.ts";
import { judgeWorker, wasHeldUp } from "./judge-worker.ts";

/** What holds the whole process up holds all of its workers up: the worst one is told of, the others are named. */
export function judgeWorkers(workers: readonly WorkerResult[]): Finding[] {
  const heldUp = workers
    .filter(wasHeldUp)
    .toSorted((a, b) => (b.loopDelayP99Ms ?? 0) - (a.loopDelayP99Ms ?? 0));
  const others = new Set(heldUp.slice(1));
  const told = workers.filter((worker) => !others.has(worker)).flatMap(judgeWorker);
  if (others.size === 0) return told;
  const ids = [...others].map(({ id }) => id).toSorted((a, b) => a - b);
  const isSaturated = [...others].flatMap(judgeWorker).some(({ severity }) => severity === "saturated");
  const who = ids.length === 1 ? `worker ${ids.join()} was` : `workers ${ids.join(", ")} were`;
  return [
    ...told,
    {
      severity: isSaturated ? "saturated" : "strained",
      reason: `${who} late too, but no more than worker ${heldUp[0]?.id ?? 0}`,
    },
  ];
}
