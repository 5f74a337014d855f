import { expect, test } from "vitest";

import type { LoadGauges } from "../../../src/outcome/account.ts";
import { MergedGauges } from "../../../src/outcome/merge/merged-gauges.ts";

function gauges(vus: number, vusMade = vus): LoadGauges {
  return { vus, vusMade, connectionsOpen: vus };
}

/** Each told second with its virtual users. */
function drain(merged: MergedGauges, before: number): number[][] {
  const told: number[][] = [];
  merged.drain(before, (second, { vus, vusMade }) => told.push([second, vus, vusMade]));
  return told;
}

test("the gauges of a second are added up once all parts have told theirs", () => {
  const merged = new MergedGauges(2);
  for (const vus of [1, 2, 3]) merged.add(0, 0, gauges(vus));
  for (const vus of [10, 20]) merged.add(1, 0, gauges(vus));
  merged.add(0, 1, gauges(4));
  merged.add(1, 1, gauges(40));
  expect(drain(merged, 1)).toEqual([
    [0, 11, 11],
    [0, 22, 22],
    [0, 23, 23],
  ]);
  expect(drain(merged, 1)).toEqual([]);
  expect(drain(merged, Infinity)).toEqual([[1, 44, 44]]);
});

test("a part that skips a second has what it had; one that has ended has no virtual users left", () => {
  const merged = new MergedGauges(3);
  merged.add(0, 0, gauges(5));
  merged.add(1, 0, gauges(7));
  merged.end(1);
  merged.add(2, 0, gauges(1));
  merged.add(2, 1, gauges(2));
  merged.add(0, 2, gauges(6));
  merged.add(2, 2, gauges(3));
  expect(drain(merged, Infinity)).toEqual([
    [0, 13, 13],
    [1, 7, 14],
    [2, 9, 16],
  ]);
});
