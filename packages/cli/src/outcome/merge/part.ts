import type { RecordedMoment, RecordedRun } from "../run-record.ts";

/** The recording of one shard. */
export interface Part {
  /** The file, as the user named it. */
  readonly name: string;
  readonly run: RecordedRun;
  readonly moments: AsyncIterable<RecordedMoment>;
}
