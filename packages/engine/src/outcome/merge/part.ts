import type { RecordedMoments, RecordedPlan, RecordedRun, RecordedShard } from "../run-record.ts";

/** A shard, as described by the first line of its recording. */
export interface PartHead {
  /** The file or the agent, as the user named it. */
  readonly name: string;
  readonly run: RecordedRun;
}

/** The recording of one shard. */
export interface Part extends PartHead {
  readonly moments: RecordedMoments;
}

/** A part that can be merged. */
export interface ShardHead extends PartHead {
  readonly shard: RecordedShard;
  readonly plan: RecordedPlan;
}

/** The recording of a part that can be merged. */
export interface ShardPart extends ShardHead, Part {}
