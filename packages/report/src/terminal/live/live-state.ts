import type { IntervalSnapshot, RunDescription } from "@bearhug/sdk";

/** A run as a live view knows it at a moment. */
export interface LiveState {
  /** Null until the run is decided. */
  readonly run: RunDescription | null;
  /** The snapshots of the last minute, the latest at the end; empty until the load has lasted for a second. */
  readonly snapshots: readonly IntervalSnapshot[];
  /** The place of the run in a series of runs; absent for a run of its own. */
  readonly caption?: string;
  /** Since the latest snapshot; since the run was decided where there is none. */
  readonly sinceMs: number;
}

/** Seconds that a view shows of the past. */
export const shownSeconds = 60;
