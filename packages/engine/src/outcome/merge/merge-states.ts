import { listSome } from "@bearhug/text/list-some";
import { sumBy, sumFigures } from "@bearhug/metrics/sum";
import type { Accounting, GeneratorResult } from "@bearhug/sdk";
import type { IterationAccounting } from "@bearhug/sdk/result";

import { mergePhases, mergeRequests } from "../account.ts";
import { lostWithShard } from "../verdict/cut-short.ts";
import { describeLateness, maxLateMs } from "../verdict/shards.ts";
import type { RunState, WorkerState } from "../run-state.ts";

/** The final state of one part. */
export interface EndedPart {
  readonly state: RunState;
  /** True if its end was not recorded. */
  readonly isTruncated: boolean;
  /** The number of its first worker in the merged run. */
  readonly firstWorker: number;
  readonly workers: number;
  /** Such as "shard 2". */
  readonly shard: string;
  /** True if a late start of this part is not a failure. */
  readonly allowsPartial: boolean;
}

/** Merges the states of several machines into that of one run. */
export function mergeStates(parts: readonly EndedPart[]): RunState {
  const states = parts.map(({ state }) => state);
  const starts = states.flatMap(({ startedAt }) => startedAt ?? []).sort();
  const first = <Value>(of: (state: RunState) => Value | null): Value | null =>
    states.map(of).find((value) => value !== null) ?? null;
  const late = parts.filter(({ allowsPartial }) => !allowsPartial).map(({ state }) => state.lateMs);
  const forgiven = parts.filter(({ allowsPartial, state }) => allowsPartial && state.lateMs > maxLateMs);
  return {
    startedAt: starts[0] ?? null,
    lateMs: Math.max(0, ...late),
    durationMs: Math.max(...states.map(({ durationMs }) => durationMs)),
    startsUntilMs: Math.max(...states.map(({ startsUntilMs }) => startsUntilMs)),
    ...mergeBegun(states),
    accounting: mergeAccountings(states.map(({ accounting }) => accounting)),
    process: busiest(states.map(({ process }) => process)),
    workers: parts.flatMap(workersOf),
    acceptedGaps: forgiven.map(({ shard, state }) => `${shard} ${describeLateness(state.lateMs)}`),
    failures: states.flatMap(({ failures }) => failures),
    unmeasured: states.flatMap(({ unmeasured }) => unmeasured),
    abortReason: first(({ abortReason }) => abortReason),
    endedBy: first(({ endedBy }) => endedBy),
    abortedBy: first(({ abortedBy }) => abortedBy),
    interruptedBy: mergeInterruptions(parts),
    isLoadOver: states.every(({ isLoadOver }) => isLoadOver),
    teardownSignal: first(({ teardownSignal }) => teardownSignal),
  };
}

function mergeBegun(states: readonly RunState[]): Pick<RunState, "begun"> {
  const all = states.flatMap(({ begun }) => (begun === undefined ? [] : [begun]));
  const [first] = all;
  if (first === undefined || all.length < states.length) return {};
  return { begun: first.map((_, index) => sumBy(all, (begun) => begun[index] ?? 0)) };
}

/** Returns the signal that interrupted a part, and which parts were interrupted if not all; null for none. */
function mergeInterruptions(parts: readonly EndedPart[]): string | null {
  const interrupted = parts.filter(({ state }) => state.interruptedBy !== null);
  const signal = interrupted[0]?.state.interruptedBy ?? null;
  if (signal === null || interrupted.length === parts.length) return signal;
  const shards = interrupted.map(({ shard }) => shard);
  return `${signal} (${listSome(shards, maxNamed)})`;
}

const maxNamed = 5;

/**
 * Numbers workers across all shards. Workers of a shard without a recorded end are lost, even if it stopped
 * before its load.
 */
function workersOf({ state, isTruncated, firstWorker, workers, shard }: EndedPart): WorkerState[] {
  const isKilled = isTruncated && !state.isLoadOver;
  const known = new Map(state.workers.map((worker) => [worker.id, worker]));
  const ids = isKilled ? Array.from({ length: workers }, (_, id) => id) : [...known.keys()];
  return ids.map((id) => {
    const lost = known.get(id)?.lost ?? (isKilled ? lostWithShard : null);
    return { id: firstWorker + id, lost: lost === null ? null : `${lost} (${shard})`, isRunning: false };
  });
}

function mergeAccountings(accountings: readonly Accounting[]): Accounting {
  const warmups = accountings.flatMap(({ warmup }) => warmup ?? []);
  const vuStates = accountings.flatMap(({ vuState }) => vuState ?? []);
  const requestsOf = (phases: readonly Pick<Accounting, "requests">[]): Pick<Accounting, "requests"> => ({
    requests: mergeRequests(phases.flatMap(({ requests }) => requests)),
  });
  return {
    iterations: sumIterations(accountings),
    ...requestsOf(accountings),
    setup: mergePhases(accountings.map(({ setup }) => setup)),
    teardown: mergePhases(accountings.map(({ teardown }) => teardown)),
    ...(vuStates.length === 0 ? {} : { vuState: mergePhases(vuStates) }),
    warmup: warmups.length === 0 ? null : { iterations: sumIterations(warmups), ...requestsOf(warmups) },
  };
}

export function sumIterations(
  phases: readonly { readonly iterations: IterationAccounting }[],
): IterationAccounting {
  const rows = phases.map(({ iterations }) => iterations);
  return sumFigures(rows, "scheduled", "started", "completed", "failed", "interrupted", "dropped", "lost");
}

/** Returns the machine that used most of its CPU, because it decides if the load was as planned. */
function busiest(processes: readonly GeneratorResult["process"][]): GeneratorResult["process"] {
  const use = (process: NonNullable<GeneratorResult["process"]>): number =>
    (process.cpuCores - process.waitingCores) / process.limits.cores;
  return processes.reduce(
    (most, process) => (most === null || (process !== null && use(process) > use(most)) ? process : most),
    null,
  );
}
