import type { BundlePosition } from "@bearhug/metrics/error-log";
import type { GeneratorResult } from "@bearhug/sdk";
import type { SourcePosition } from "@bearhug/sdk/result";

import type { Collector } from "./collect.ts";
import type { Damage, RecordedRun } from "./run-record.ts";
import type { RunState } from "./run-state.ts";

/** Everything that a result is made from. */
export interface Run {
  /** Facts known before the run began. */
  readonly head: RecordedRun;
  readonly state: RunState;
  /** All samples. */
  readonly collector: Collector;
  /** True if its process was killed: what happened after its last record is unknown. */
  readonly isTruncated: boolean;
  /** The damage of its recording. @default null */
  readonly damage?: Damage | null;
  /** The health of the load generator, if its own runs have judged it. @default diagnosed from the samples */
  readonly generator?: GeneratorResult;
  readonly locate: Locate;
}

/** Finds the source of a place in the bundle, with the lines around it; null if there is none. */
export type Locate = (
  position: BundlePosition,
) => { readonly source: SourcePosition; readonly frame: string | null } | null;

/** Finds an option of the test by its path, such as `scenarios.readers.rate`. */
export type LocateOption = (path: string) => SourcePosition | null;

/**
 * True if the load was applied as planned, or ended by the test's own rules, and all of its samples have
 * arrived.
 */
export function isWhole({ state, isTruncated }: Pick<Run, "state" | "isTruncated">): boolean {
  return state.interruptedBy === null && (!isTruncated || state.isLoadOver);
}
