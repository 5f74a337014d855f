import { expect, test } from "vitest";

import { targetKinds } from "../broken-targets/broken-target.ts";
import { wrongEnds } from "../broken-targets/matrix.ts";
import { meetShared, sharedLoads, sharedWays } from "../broken-targets/several-machines.ts";

const options = { breaksAfterMs: 1500, seconds: 5 };

/** Without a threshold no rule judges times, and half a second of downtime is over 5 % of these runs. */
const kinds = targetKinds.filter((kind) => kind !== "70 × slower" && kind !== "restarts within a second");

const rows = sharedWays.flatMap((way) => sharedLoads.map((load) => [way, load] as const));

test.each(rows)("%s, %s: red for every broken target, and green for every healthy one", async (way, load) => {
  const met = [];
  // A few at a time: each run has two machines and their coordinator.
  for (let at = 0; at < kinds.length; at += 3)
    met.push(...(await meetShared(way, load, kinds.slice(at, at + 3), options)));
  expect(wrongEnds(met)).toEqual([]);
});
