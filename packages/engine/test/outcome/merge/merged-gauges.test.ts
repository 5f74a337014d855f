import { expect, test } from "vitest";

import type { LoadGauges } from "../../../src/outcome/account.ts";
import { MergedGauges } from "../../../src/outcome/merge/merged-gauges.ts";

function gauges(vus: number, vusMade = vus): LoadGauges {
  return { vus, vusMade, connectionsOpen: vus };
}

/** Merges the gauges of this many parts, and records what it emits: the second and its virtual users. */
function mergeOf(parts: number) {
  const merges: number[][] = [];
  const merged = new MergedGauges(parts, (second, { vus, vusMade }) => merges.push([second, vus, vusMade]));
  return { merged, merges };
}

test("the gauges of a second are added up once all parts have reported theirs", () => {
  const { merged, merges } = mergeOf(2);
  for (const vus of [1, 2, 3]) merged.add(0, 0, gauges(vus));
  for (const vus of [10, 20]) merged.add(1, 0, gauges(vus));
  merged.add(0, 1, gauges(4));
  expect(merges).toEqual([]);
  merged.add(1, 1, gauges(40));
  expect(merges).toEqual([
    [0, 11, 11],
    [0, 22, 22],
    [0, 23, 23],
  ]);
  merged.end(0);
  merged.end(1);
  expect(merges.slice(3)).toEqual([[1, 44, 44]]);
});

test("a part that skips a second keeps its last gauges; one that has ended has no virtual users left", () => {
  const { merged, merges } = mergeOf(3);
  merged.add(0, 0, gauges(5));
  merged.add(1, 0, gauges(7));
  merged.end(1);
  merged.add(2, 0, gauges(1));
  merged.add(2, 1, gauges(2));
  merged.add(0, 2, gauges(6));
  merged.add(2, 2, gauges(3));
  merged.end(0);
  merged.end(2);
  expect(merges).toEqual([
    [0, 13, 13],
    [1, 7, 14],
    [2, 9, 16],
  ]);
});

test("a part that only sends snapshots does not hold up the others", () => {
  const { merged, merges } = mergeOf(2);
  merged.add(0, 0, gauges(5));
  merged.add(1, 0, gauges(7));
  merged.add(1, 1, gauges(8));
  merged.add(1, 2, gauges(9));
  merged.reach(0, 2);
  expect(merges).toEqual([
    [0, 12, 12],
    [1, 13, 13],
  ]);
  expect(merged.latest).toEqual(gauges(14));
});
