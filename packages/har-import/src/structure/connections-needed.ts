import type { VisitStep } from "../visit.ts";
import { perHost } from "./connection-slots.ts";
import { simulateStep } from "./simulate-step.ts";
import { replayedOf } from "./timed-visit.ts";

/**
 * How many connections to one host a replay needs where the target speaks HTTP/1.1, so that it is as fast as the
 * recording: a browser's six, or as many as the recording had requests on their way at a time over HTTP/2.
 */
export function connectionsNeeded(steps: readonly VisitStep[]): number {
  return steps.reduce((most, step) => Math.max(most, mostAtOnce(step)), perHost);
}

function mostAtOnce({ waves }: VisitStep): number {
  const { startsMs } = simulateStep(waves);
  const changes = new Map<string, [atMs: number, by: number][]>();
  for (const [index, { visit }] of waves.flatMap(({ visits }) => visits).entries()) {
    const { origin, busyMs } = replayedOf(visit);
    const startMs = startsMs[index] ?? 0;
    const ofOrigin = changes.get(origin) ?? [];
    ofOrigin.push([startMs, 1], [startMs + busyMs, -1]);
    changes.set(origin, ofOrigin);
  }
  return [...changes.values()].reduce((most, ofOrigin) => Math.max(most, highest(ofOrigin)), 0);
}

/** At one moment what ends makes room for what starts. */
function highest(changes: [atMs: number, by: number][]): number {
  let running = 0;
  let most = 0;
  for (const [, by] of changes.sort((left, right) => left[0] - right[0] || left[1] - right[1])) {
    running += by;
    most = Math.max(most, running);
  }
  return most;
}
