import type { BundlePosition } from "@bearhug/metrics/error-log";
import type { SourcePosition } from "@bearhug/sdk/result";

import type { Collector } from "./collect.ts";
import type { Damage, RecordedRun } from "./run-record.ts";
import type { RunState } from "./run-state.ts";

/** Everything that a result is made of. */
export interface Run {
  /** Facts known before the run began. */
  readonly head: RecordedRun;
  readonly state: RunState;
  /** All samples. */
  readonly collector: Collector;
  /** True if its process was killed: nothing is known of what came after the last record of it. */
  readonly isTruncated: boolean;
  /** The damage of its recording. @default null */
  readonly damage?: Damage | null;
  readonly locate: Locate;
}

/** Finds the source of a place in the bundle, with the lines around it; null where there is none. */
export type Locate = (
  position: BundlePosition,
) => { readonly source: SourcePosition; readonly frame: string | null } | null;

/** Finds where a threshold is written; null where it is not in a file. */
export type LocateThreshold = (key: string, expression: string) => SourcePosition | null;
/** Finds an option of the test by its path, such as `scenarios.readers.rate`. */
export type LocateOption = (path: string) => SourcePosition | null;

/** True if all the planned load was applied, or ended by the test's own rules, and all its samples are in. */
export function isWhole({ state, isTruncated }: Pick<Run, "state" | "isTruncated">): boolean {
  return state.interruptedBy === null && (!isTruncated || state.isLoadOver);
}
