import type { BundlePosition } from "@bearhug/metrics/error-log";
import type { TestResult } from "@bearhug/sdk";

import { composeResult } from "./compose-result.ts";
import { Collector, replay } from "./collect.ts";
import type { RecordedMoments, RecordedPlace, RecordedRun } from "./run-record.ts";
import { initialState, type RunState } from "./run-state.ts";
import { killedWithProcess } from "./verdict/cut-short.ts";

/**
 * Makes the result of a run from its recording: the result that the run itself made, or would have made at
 * its last record.
 */
export async function rebuildRun(head: RecordedRun, recorded: RecordedMoments): Promise<TestResult> {
  const collector = new Collector(head);
  const places = new Map<string, RecordedPlace>();
  let state = initialState;
  let isTruncated = true;
  const moments = recorded[Symbol.asyncIterator]();
  let next = await moments.next();
  for (; next.done !== true; next = await moments.next()) {
    const moment = next.value;
    for (const input of moment.inputs) replay(collector, input);
    for (const place of moment.places) places.set(keyOf(place.position), place);
    state = moment.state;
    isTruncated = !moment.isEnd;
  }
  return composeResult({
    head,
    state: { ...state, workers: state.workers.map(endWorker) },
    collector,
    isTruncated,
    damage: next.value,
    locate: (position) => places.get(keyOf(position)) ?? null,
  });
}

/** Marks a worker that was running at the last record as lost with the process. */
function endWorker({ id, lost, isRunning }: RunState["workers"][number]): RunState["workers"][number] {
  return { id, lost: lost ?? (isRunning ? killedWithProcess : null), isRunning: false };
}

/** Returns a unique key for a place. */
export function keyOf({ line, column, isForImport = false }: BundlePosition): string {
  return `${line}:${column}:${isForImport}`;
}
