import { expect, test } from "vitest";

import type { TargetKind } from "./broken-target.ts";
import { wrongEnds } from "./matrix.ts";
import { meetShared, sharedWays } from "./several-machines.ts";

const options = { breaksAfterMs: 1500, seconds: 4 };
const kinds: readonly TargetKind[] = ["healthy", "dies", "hangs"];

test.each(sharedWays)("two machines judge a target that breaks as one does: %s", async (way) => {
  expect(wrongEnds(await meetShared(way, "closed with thresholds", kinds, options))).toEqual([]);
});
