import type { TestResult } from "@bearhug/sdk";

import type { Damage, RecordedMoment } from "../run-record.ts";
import type { Gap } from "./check-parts.ts";
import type { ShardPart } from "./part.ts";
import { RunMerge } from "./run-merge.ts";

export interface MergeOptions {
  readonly allowsPartial: boolean;
  readonly gaps: readonly Gap[];
  /** True if a coordinator started all shards at the same time. @default false */
  readonly hasCoordinator?: boolean;
}

/**
 * Merges the recordings of all shards into one result. Reads them side by side, second by second, so that
 * memory depends neither on their length nor on their number of samples.
 * @param parts ordered by shard
 */
export async function mergeRuns(
  parts: readonly [ShardPart, ...ShardPart[]],
  { allowsPartial, gaps, hasCoordinator = false }: MergeOptions,
): Promise<TestResult> {
  const merge = new RunMerge(parts, allowsPartial);
  const open = new Map(parts.map(({ moments }, index) => [index, moments[Symbol.asyncIterator]()]));
  try {
    for (let next = furthestBehind(merge, open); next !== null; next = furthestBehind(merge, open)) {
      const step = await next.moments.next();
      if (step.done === true) {
        open.delete(next.index);
        merge.end(next.index, step.value);
      } else merge.add(next.index, step.value);
    }
  } finally {
    // If reading one of them fails, close the files of the others.
    for (const moments of open.values()) await moments.return?.(null);
  }
  return merge.result(gaps, hasCoordinator);
}

type OpenPart = AsyncIterator<RecordedMoment, Damage | null>;

/** Returns the part to read next, so that none gets far ahead of the others; null when all are read. */
function furthestBehind(
  merge: RunMerge,
  open: ReadonlyMap<number, OpenPart>,
): { readonly index: number; readonly moments: OpenPart } | null {
  let behind: ReturnType<typeof furthestBehind> = null;
  for (const [index, moments] of open)
    if (behind === null || merge.secondOf(index) < merge.secondOf(behind.index)) behind = { index, moments };
  return behind;
}
