import type { ErrorLog } from "@bearhug/metrics/error-log";
import { sumBy, sumFigures } from "@bearhug/metrics/sum";
import {
  maxNames,
  otherName,
  type RunCounter,
  type ScenarioCounter,
  type SharedAccounting,
} from "@bearhug/plan/protocol/shared-accounting";
import type {
  IterationAccounting,
  OddRequests,
  PhaseAccounting,
  RequestAccounting,
} from "@bearhug/sdk/result";

import type { ConnectionCounts } from "../health/watch-process.ts";

/**
 * Adds up the iterations of all workers. Iterations that a lost worker started and never reported are `lost`,
 * and so are unfinished ones. Reads the counters in reverse, the last step of an iteration first, because
 * workers keep counting meanwhile: no more iterations can have ended than started.
 */
export function accountIterations(workers: readonly SharedAccounting[]): IterationAccounting {
  const sum = summing(workers);
  const dropped = sum("iterationsDropped");
  const interrupted = sum("iterationsInterrupted");
  const failed = sum("iterationsFailed");
  const completed = sum("iterationsCompleted");
  const ended = completed + failed + interrupted;
  const started = Math.max(ended, sum("iterationsStarted"));
  return {
    scheduled: started + dropped,
    started,
    completed,
    failed,
    interrupted,
    dropped,
    lost: started - ended,
  };
}

/** The iterations of one scenario, over all workers. */
export interface ScenarioCounts {
  /** Virtual users that run an iteration. */
  readonly vus: number;
  /** Iterations that completed or failed. */
  readonly ended: number;
  readonly interrupted: number;
  readonly dropped: number;
}

/**
 * Adds up the iterations of the scenario with this number in the plan. Reads in reverse, as {@link
 * accountIterations}.
 */
export function accountScenario(workers: readonly SharedAccounting[], index: number): ScenarioCounts {
  const rows = workers.map((accounting) => accounting.scenario(index));
  const sum = (counter: ScenarioCounter): number => sumBy(rows, (row) => row.get(counter));
  const [dropped, interrupted, ended] = [sum("dropped"), sum("interrupted"), sum("ended")];
  return { vus: Math.max(0, sum("started") - ended - interrupted), ended, interrupted, dropped };
}

/** The virtual users and connections at a moment, over all workers. */
export interface LoadGauges {
  /** Virtual users that run an iteration. */
  readonly vus: number;
  /** Virtual users that exist, including idle ones. */
  readonly vusMade: number;
  readonly connectionsOpen: number;
}

/** Adds up the current virtual users and connections of all workers. */
export function accountGauges(workers: readonly SharedAccounting[]): LoadGauges {
  const sum = summing(workers);
  return {
    vus: sum("vusActive"),
    vusMade: sum("vusInitialized"),
    connectionsOpen: sum("connectionsOpened") - sum("connectionsClosed"),
  };
}

/** Adds up the bytes of all workers so far. */
export function accountBytes(
  workers: readonly SharedAccounting[],
): Pick<ConnectionCounts, "receivedBytes" | "sentBytes"> {
  const sum = summing(workers);
  return { receivedBytes: sum("bytesReceived"), sentBytes: sum("bytesSent") };
}

/** The counts of a load: of its measured part, and of the parts that are counted apart. */
export interface LoadAccountings {
  readonly accountings: readonly SharedAccounting[];
  readonly warmupAccountings: readonly SharedAccounting[];
  readonly vuStateAccountings: readonly SharedAccounting[];
}

/** Adds up all bytes that a load received. */
export function accountReceivedBytes({
  accountings,
  warmupAccountings,
  vuStateAccountings,
}: LoadAccountings): number {
  return summing([...accountings, ...warmupAccountings, ...vuStateAccountings])("bytesReceived");
}

function summing(workers: readonly SharedAccounting[]): (counter: RunCounter) => number {
  return (counter) => sumBy(workers, (accounting) => accounting.get(counter));
}

/** Adds up the operations of all workers by client and name, most frequent first. */
export function accountRequests(workers: readonly SharedAccounting[]): RequestAccounting[] {
  const rows = workers.flatMap((accounting) => accounting.requests());
  return mergeRequests(
    rows.map(({ name, client, ...counts }) => {
      const ended = counts.succeeded + counts.failed + counts.interrupted;
      const started = Math.max(counts.started, counts.sent, ended);
      return { name, ...(client === null ? {} : { client }), ...counts, started, lost: started - ended };
    }),
  );
}

/**
 * Merges rows of the same client and name, most frequent first. If there are too many names, because workers
 * may see different ones, the rarest share one row per client.
 */
export function mergeRequests(rows: readonly RequestAccounting[]): RequestAccounting[] {
  const byName = new Map<string, RequestAccounting>();
  for (const row of rows) {
    const key = JSON.stringify([row.name, row.client]);
    const before = byName.get(key);
    byName.set(key, before === undefined ? row : addRows(before, row));
  }
  const merged = [...byName.values()].sort((left, right) => right.started - left.started);
  const others = merged.filter(({ name }) => name === otherName);
  if (merged.length - others.length <= maxNames) return merged;
  const named = merged.filter(({ name }) => name !== otherName);
  const rest = named.slice(maxNames).map((row) => ({ ...row, name: otherName }));
  return mergeRequests([...named.slice(0, maxNames), ...others, ...rest]);
}

function addRows(left: RequestAccounting, right: RequestAccounting): RequestAccounting {
  return {
    ...left,
    ...sumFigures([left, right], "started", "sent", "succeeded", "failed", "interrupted", "lost"),
  };
}

/** The counts of setup and teardown, and what was odd about their successful requests. */
interface StageAccountings {
  readonly setupAccounting: SharedAccounting;
  readonly setupOddities: ErrorLog;
  readonly teardownAccounting: SharedAccounting;
  readonly teardownOddities: ErrorLog;
}

/** The counts of `vuState`, one per worker, empty without one; and what was odd about its successful requests. */
interface VuStateAccountings {
  readonly vuStateAccountings: readonly SharedAccounting[];
  readonly vuStateOddities: ErrorLog;
}

/** Adds up requests outside of iterations: in setup and teardown, and in `vuState` of a load. */
export function accountStages(
  { setupAccounting, setupOddities, teardownAccounting, teardownOddities }: StageAccountings,
  load: VuStateAccountings | null,
): { setup: PhaseAccounting; teardown: PhaseAccounting; vuState?: PhaseAccounting } {
  return {
    setup: accountPhase([setupAccounting], setupOddities),
    teardown: accountPhase([teardownAccounting], teardownOddities),
    ...(load === null || load.vuStateAccountings.length === 0
      ? {}
      : { vuState: accountPhase(load.vuStateAccountings, load.vuStateOddities) }),
  };
}

function accountPhase(workers: readonly SharedAccounting[], log: ErrorLog): PhaseAccounting {
  const oddities = log.all().map(({ code, name, message, count }) => ({ code, name, message, count }));
  return { requests: accountRequests(workers), ...(oddities.length === 0 ? {} : { oddities }) };
}

/** Merges the phases of several machines into one. */
export function mergePhases(phases: readonly PhaseAccounting[]): PhaseAccounting {
  const merged = new Map<string, OddRequests>();
  for (const odd of phases.flatMap(({ oddities = [] }) => oddities)) {
    const key = JSON.stringify([odd.code, odd.name]);
    const known = merged.get(key);
    merged.set(key, known === undefined ? odd : { ...known, count: known.count + odd.count });
  }
  const oddities = [...merged.values()].sort((left, right) => right.count - left.count);
  const requests = mergeRequests(phases.flatMap((phase) => phase.requests));
  return { requests, ...(oddities.length === 0 ? {} : { oddities }) };
}

/** Counts the requests of a stage that are under way as interrupted: the run is over, and their thread lives. */
export function interruptUnfinished(phase: PhaseAccounting): PhaseAccounting {
  return {
    ...phase,
    requests: phase.requests.map((row) => ({ ...row, interrupted: row.interrupted + row.lost, lost: 0 })),
  };
}
