import type { TestResult } from "@bearhug/sdk";
import fc from "fast-check";
import { expect, test } from "vitest";

import { mergeRuns } from "../../../src/outcome/merge/merge-runs.ts";
import type { ShardPart } from "../../../src/outcome/merge/part.ts";
import { RunMerge } from "../../../src/outcome/merge/run-merge.ts";
import type { CollectorInput, RecordedMoment } from "../../../src/outcome/run-record.ts";
import { eachOf, inputOf, partOf, stateOf, thresholds } from "./parts.ts";

/** Any shard: shorter or longer than others, with requests of its own, some gauges, and perhaps no end. */
interface Shard {
  readonly workers: number;
  /** For each second, how often its virtual users were counted. */
  readonly gauges: readonly number[];
  readonly hasEnd: boolean;
}

const shard: fc.Arbitrary<Shard> = fc.record({
  workers: fc.integer({ min: 1, max: 2 }),
  gauges: fc.array(fc.nat(3), { maxLength: 6 }),
  hasEnd: fc.boolean(),
});

function momentsOf({ workers, gauges, hasEnd }: Shard, index: number): RecordedMoment[] {
  return gauges.map((counts, second) => ({
    inputs: [
      ...Array.from({ length: counts }, (_, count): CollectorInput => {
        const vus = 1 + index + 10 * count + 100 * second;
        return { kind: "gauges", second, gauges: { vus, vusMade: 1000, connectionsOpen: vus + 1 } };
      }),
      ...Array.from({ length: workers }, (_, worker) =>
        inputOf(worker, second, 2 * index + worker, `GET /${(index + worker) % 3}`),
      ),
    ],
    places: [],
    state: stateOf(workers, { durationMs: (second + 1) * 1000, startsUntilMs: (second + 1) * 1000 }),
    isEnd: hasEnd && second === gauges.length - 1,
  }));
}

const interleaved = fc
  .array(shard, { minLength: 1, maxLength: 4 })
  .chain((shards) =>
    fc.tuple(
      fc.constant(shards),
      fc.shuffledSubarray(turnsOf(shards), { minLength: turnsOf(shards).length }),
    ),
  );

/** Returns the index of each shard once for each of its moments, and once more for its end. */
function turnsOf(shards: readonly Shard[]): number[] {
  return shards.flatMap(({ gauges }, index) => Array.from({ length: gauges.length + 1 }, () => index));
}

/** Sorts all rows, whose order depends on the shard that was ahead. */
function withoutOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => JSON.stringify(withoutOrder(one))).sort();
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, one]) => [key, withoutOrder(one)] as const);
  return Object.fromEntries(entries.sort(([left], [right]) => (left < right ? -1 : 1)));
}

const inShortWindows = thresholds.map(({ threshold, source }) => ({
  threshold: { ...threshold, windowMs: 3000 },
  source,
}));

test("whichever shard is ahead, the merged result is the same", async () => {
  await fc.assert(
    fc.asyncProperty(interleaved, async ([shards, turns]) => {
      const count = shards.length;
      const moments = shards.map((one, index) => momentsOf(one, index));
      const [first, ...others] = shards.map(({ workers }, index): ShardPart => ({
        ...partOf({ index, count, workers, changes: { thresholds: inShortWindows } }),
        moments: eachOf(moments[index] ?? []),
      }));
      if (first === undefined) throw new TypeError("no shard");
      const merge = new RunMerge([first, ...others], false);
      const sent = moments.map(() => 0);
      for (const index of turns) {
        const moment = moments[index]?.[sent[index] ?? 0];
        sent[index] = (sent[index] ?? 0) + 1;
        if (moment === undefined) merge.end(index);
        else merge.add(index, moment);
      }
      const pulled: TestResult = await mergeRuns([first, ...others], { allowsPartial: false, gaps: [] });
      const pushed = merge.result([]);
      // Intervals are in the order of time.
      expect(pushed.intervals).toEqual(pulled.intervals);
      expect(withoutOrder(pushed)).toEqual(withoutOrder(pulled));
    }),
    { numRuns: 25 },
  );
});
