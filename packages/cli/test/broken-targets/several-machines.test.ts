import { expect, test } from "vitest";

import type { TargetKind } from "./broken-target.ts";
import { wrongEnds } from "./matrix.ts";
import { meetShared, type SharedWay } from "./several-machines.ts";

const options = { breaksAfterMs: 1200, seconds: 3 };

/** The fast rows of the matrix; all others are tested in test/peers. */
const rows: readonly (readonly [SharedWay, readonly TargetKind[]])[] = [
  ["agents", ["healthy", "dies"]],
  ["merged recordings", ["healthy", "hangs"]],
  ["merged results", ["dies"]],
];

test.each(rows)("two machines judge a target that breaks as one machine does: %s", async (way, kinds) => {
  expect(wrongEnds(await meetShared(way, "closed with thresholds", kinds, options))).toEqual([]);
});
