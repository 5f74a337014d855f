import type { VisitStep } from "../visit.ts";
import { connectionsRecorded } from "./connections-recorded.ts";
import { type Interval, mostAtOnce } from "./most-at-once.ts";
import { simulateStep } from "./simulate-step.ts";
import { replayedOf } from "./timed-visit.ts";

/**
 * How many connections to one host a replay needs where the target speaks HTTP/1.1, so that it is as fast as the
 * recording: a browser's six, or as many as the recording had requests on their way at a time.
 */
export function connectionsNeeded(steps: readonly VisitStep[]): number {
  const visits = steps.flatMap(({ waves }) => waves.flatMap((wave) => wave.visits));
  const recorded = connectionsRecorded(visits.map(({ visit }) => visit));
  return steps.reduce((most, step) => Math.max(most, mostSent(step, recorded)), recorded);
}

function mostSent({ waves }: VisitStep, connections: number): number {
  const { startsMs } = simulateStep(waves, connections);
  const byOrigin = new Map<string, Interval[]>();
  for (const [index, { visit }] of waves.flatMap(({ visits }) => visits).entries()) {
    const { origin, busyMs } = replayedOf(visit);
    const startMs = startsMs[index] ?? 0;
    const intervals = byOrigin.get(origin) ?? [];
    intervals.push([startMs, startMs + busyMs]);
    byOrigin.set(origin, intervals);
  }
  return [...byOrigin.values()].reduce((most, intervals) => Math.max(most, mostAtOnce(intervals)), 0);
}
