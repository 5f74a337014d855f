import type { IntervalSnapshot, RunDescription } from "@bearhug/sdk";

/** The current state of a run, as a live view shows it. */
export interface LiveState {
  /** Null until the plan of the run is known. */
  readonly run: RunDescription | null;
  /** The snapshots of the last minute, the latest at the end; empty until the load has lasted for a second. */
  readonly snapshots: readonly IntervalSnapshot[];
  /** The place of the run in a series of runs; absent for a single run. */
  readonly caption?: string;
  /** The time since the latest snapshot, or since the plan was known if there is none. */
  readonly sinceMs: number;
}

/** The number of past seconds that a view shows. */
export const shownSeconds = 60;
