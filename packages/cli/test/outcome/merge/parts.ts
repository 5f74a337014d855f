import type { ShardPart } from "../../../src/outcome/merge/check-parts.ts";
import type { RecordedMoment, RecordedPlan, RecordedRun } from "../../../src/outcome/run-record.ts";
import { recordedRun } from "../../recording/recorded.ts";

export interface PartOptions {
  readonly index: number;
  readonly count: number;
  readonly workers?: number;
  readonly changes?: Partial<RecordedRun>;
  readonly plan?: Partial<RecordedPlan>;
  readonly startAt?: string | null;
  readonly testHash?: string;
}

/** The recording of one shard, with these moments. */
export function partOf(
  {
    index,
    count,
    workers = 1,
    changes = {},
    plan: planned = {},
    startAt = null,
    testHash = "abc",
  }: PartOptions,
  moments: readonly RecordedMoment[] = [],
): ShardPart {
  const { plan: usual } = recordedRun;
  if (usual === null) throw new TypeError("a run without a plan");
  const plan = { ...usual, workers, ...planned };
  const shard = { index, count, testHash, startAt };
  return {
    name: `part-${index + 1}.bearhug`,
    run: { ...recordedRun, plan, shard, ...changes },
    ...{ shard, plan },
    moments: eachOf(moments),
  };
}

async function* eachOf(moments: readonly RecordedMoment[]): AsyncGenerator<RecordedMoment> {
  for (const moment of moments) yield await Promise.resolve(moment);
}
