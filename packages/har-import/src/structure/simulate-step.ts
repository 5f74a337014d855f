import type { Visit } from "../visit.ts";
import { ConnectionSlots, perHost } from "./connection-slots.ts";
import { replayedOf } from "./timed-visit.ts";

/** What of a wave matters to its timing. */
export interface SimulatedWave {
  readonly afterMs: number;
  readonly visits: readonly { readonly visit: Visit; readonly outlasts: boolean }[];
}

export interface SimulatedStep {
  /** When each visit is sent, in the order of the waves. */
  readonly startsMs: readonly number[];
  /** From the start of the step to its last end. */
  readonly totalMs: number;
}

/** How one visitor replays a step when every answer takes as long as recorded. */
export function simulateStep(waves: readonly SimulatedWave[], connections: number = perHost): SimulatedStep {
  const slots = new ConnectionSlots(connections);
  const startsMs: number[] = [];
  let readyMs = 0;
  let totalMs = 0;
  for (const { afterMs, visits } of waves) {
    const waveMs = readyMs + afterMs;
    readyMs = waveMs;
    for (const { visit, outlasts } of visits) {
      const request = replayedOf(visit);
      startsMs.push(slots.startOf(request, waveMs));
      const endMs = slots.send(request, waveMs);
      if (!outlasts) readyMs = Math.max(readyMs, endMs);
      totalMs = Math.max(totalMs, endMs);
    }
  }
  return { startsMs, totalMs };
}
