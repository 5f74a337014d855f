import fc from "fast-check";
import { describe, expect, test } from "vitest";

import {
  copySeparately,
  createPackedCopier,
  PagedCounts,
  SparseCounts,
  type BucketCounts,
} from "../src/bucket-counts.ts";

const index = fc.nat(5000);
const step = fc.oneof(
  fc.record({ does: fc.constant("record" as const), indexes: fc.array(index, { maxLength: 150 }) }),
  fc.record({ does: fc.constant("addAll" as const), indexes: fc.array(index, { maxLength: 20 }) }),
  fc.record({ does: fc.constantFrom("read" as const, "drain" as const), indexes: fc.constant<number[]>([]) }),
);

/** Returns pairs of index and count. */
function pairsOf(indexes: readonly number[]): Uint32Array {
  const counts = new Map<number, number>();
  for (const one of indexes) counts.set(one, (counts.get(one) ?? 0) + 1);
  return Uint32Array.from([...counts].sort(([left], [right]) => left - right).flat());
}

/** Returns all that counts report, at every rank and at the index of each sample. */
function reportOf(counts: BucketCounts, indexes: readonly number[]): unknown {
  return {
    last: counts.lastIndex(),
    ranks: [...indexes, null].map((_, position) => counts.indexAtRank(position + 1)),
    upTo: indexes.map((one) => counts.countUpTo(one)),
    buckets: [...counts.buckets()],
  };
}

function expectedOf(indexes: readonly number[]): unknown {
  const sorted = indexes.toSorted((left, right) => left - right);
  return {
    last: sorted.at(-1) ?? -1,
    ranks: [...sorted, -1],
    upTo: indexes.map((one) => sorted.filter((other) => other <= one).length),
    buckets: [...pairsOf(indexes)],
  };
}

describe.each([
  { name: "few", create: () => new SparseCounts() },
  { name: "many", create: () => new PagedCounts() },
])("counts of $name buckets", ({ create }) => {
  test("hold what was recorded and added since the last drain, in any order", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        const counts: BucketCounts = create();
        let held: number[] = [];
        for (const { does, indexes } of steps) {
          if (does === "record") for (const one of indexes) fc.pre(counts.record(one));
          if (does === "addAll") fc.pre(counts.addAll(pairsOf(indexes), 1));
          held.push(...indexes);
          if (does === "read") expect(reportOf(counts, held)).toEqual(expectedOf(held));
          if (does !== "drain") continue;
          expect([...counts.drain(copySeparately)]).toEqual([...pairsOf(held)]);
          held = [];
        }
        expect(reportOf(counts, held)).toEqual(expectedOf(held));
      }),
    );
  });
});

test("sparse counts refuse samples when they are full, and lose none", () => {
  const counts = new SparseCounts();
  let taken = 0;
  while (counts.record(taken)) taken++;
  expect(taken).toBe(1024);
  expect([...counts.buckets()]).toEqual([...pairsOf(Array.from({ length: taken }, (_, at) => at))]);
});

test("full sparse counts refuse further buckets, and keep what they have", () => {
  const counts = new SparseCounts();
  const taken = Array.from({ length: 1024 }, (_, at) => at);
  expect(counts.addAll(pairsOf(taken), 1)).toBe(true);
  expect(counts.addAll(pairsOf([5000, 5001]), 1)).toBe(false);
  expect(counts.addAll(pairsOf([7]), 1)).toBe(true);
  expect([...counts.buckets()]).toEqual([...pairsOf([...taken, 7])]);
});

test("packed copies stay equal to the buckets that were given, also when more are packed", () => {
  const lists = fc.array(fc.array(index, { maxLength: 1500 }), { maxLength: 30 });
  fc.assert(
    fc.property(lists, (given) => {
      const keep = createPackedCopier();
      const histograms = given.map(pairsOf);
      const kept = histograms.map((buckets) => {
        const one = keep(buckets);
        expect(one).not.toBe(buckets);
        return one;
      });
      expect(structuredClone(kept).map((one) => [...one])).toEqual(histograms.map((one) => [...one]));
    }),
    { numRuns: 30 },
  );
});

test("buckets of hundreds of histograms are kept in a few arrays, none much longer than its contents", () => {
  const keep = createPackedCopier();
  const kept = Array.from({ length: 400 }, (_, first) =>
    keep(pairsOf(Array.from({ length: 500 }, (_, at) => first + at))),
  );
  for (const [first, buckets] of kept.entries())
    expect(buckets.slice(0, 2)).toEqual(Uint32Array.of(first, 1));
  const arrays = new Set(kept.map(({ buffer }) => buffer));
  expect(arrays.size).toBeLessThan(20);
  const bytes = [...arrays].reduce((sum, { byteLength }) => sum + byteLength, 0);
  expect(bytes).toBeLessThan(1.5 * kept.reduce((sum, { byteLength }) => sum + byteLength, 0));
});
