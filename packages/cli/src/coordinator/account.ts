import type { IterationAccounting, PhaseAccounting, RequestAccounting } from "@bearhug/sdk";

import type { RunCounter, SharedAccounting } from "../protocol/shared-accounting.ts";
import type { LoadGauges } from "./collect.ts";

/** Iterations of all workers; what a lost worker had started and never told is `lost`. */
export function accountIterations(workers: readonly SharedAccounting[]): IterationAccounting {
  const sum = summing(workers);
  const started = sum("iterationsStarted");
  const completed = sum("iterationsCompleted");
  const failed = sum("iterationsFailed");
  const interrupted = sum("iterationsInterrupted");
  const dropped = sum("iterationsDropped");
  const lost = started - completed - failed - interrupted;
  return { scheduled: started + dropped, started, completed, failed, interrupted, dropped, lost };
}

/** Virtual users and connections of all workers, at this moment. */
export function accountGauges(workers: readonly SharedAccounting[]): LoadGauges {
  const sum = summing(workers);
  return {
    vus: sum("vusActive"),
    vusMade: sum("vusInitialized"),
    connectionsOpen: sum("connectionsOpened") - sum("connectionsClosed"),
  };
}

function summing(workers: readonly SharedAccounting[]): (counter: RunCounter) => number {
  return (counter) => workers.reduce((total, accounting) => total + accounting.get(counter), 0);
}

/** Requests of all workers by name, those of most requests first. */
export function accountRequests(workers: readonly SharedAccounting[]): RequestAccounting[] {
  const byName = new Map<string, RequestAccounting>();
  for (const accounting of workers) {
    for (const counts of accounting.requests()) {
      const { name, started, sent, succeeded, failed, interrupted } = counts;
      const before = byName.get(name);
      byName.set(name, {
        name,
        started: started + (before?.started ?? 0),
        sent: sent + (before?.sent ?? 0),
        succeeded: succeeded + (before?.succeeded ?? 0),
        failed: failed + (before?.failed ?? 0),
        interrupted: interrupted + (before?.interrupted ?? 0),
        lost: started - succeeded - failed - interrupted + (before?.lost ?? 0),
      });
    }
  }
  return [...byName.values()].sort((left, right) => right.started - left.started);
}

export function accountPhase(accounting: SharedAccounting): PhaseAccounting {
  return { requests: accountRequests([accounting]) };
}
