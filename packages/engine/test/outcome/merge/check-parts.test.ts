import { describe, expect, test } from "vitest";

import { checkParts } from "../../../src/outcome/merge/check-parts.ts";
import { recordedRun } from "../../recording/recorded.ts";
import { partOf, type PartOptions } from "./parts.ts";

/** Checks recordings that began a second apart. */
function check(...parts: readonly PartOptions[]): Readonly<Record<"refusals" | "gaps", readonly string[]>> {
  const given = parts.map((part, second) =>
    partOf({ ...part, changes: { beganAt: `2026-11-21T10:00:0${second}.000Z`, ...part.changes } }),
  );
  const { refusals, gaps } = checkParts(given);
  return { refusals, gaps: gaps.map(({ sentence }) => sentence) };
}

describe("the parts of a run", () => {
  test("are put in the order of their shards", () => {
    const [second, first] = [partOf({ index: 1, count: 2 }), partOf({ index: 0, count: 2 })];
    expect(checkParts([second, first])).toEqual({ parts: [first, second], refusals: [], gaps: [] });
  });

  test("must all be there", () => {
    expect(check({ index: 1, count: 3 }, { index: 2, count: 3 }).gaps).toEqual(["Shard 1 of 3 is missing."]);
    expect(check({ index: 0, count: 14 }).gaps).toEqual([
      "Shards 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, and 3 more of 14 are missing.",
    ]);
  });

  test("must be different shards", () => {
    expect(check({ index: 0, count: 1 }, { index: 0, count: 1 }).gaps).toEqual([
      "part-1.bearhug and part-1.bearhug are both shard 1 of 1. Give only one.",
    ]);
  });

  test("must have the same test, limits, seed, start and version", () => {
    const { tool } = recordedRun;
    const other = {
      index: 1,
      count: 2,
      testHash: "other",
      startAt: "2026-11-21T10:00:00.000Z",
      plan: { seed: 8, judging: { maxFailed: 1 } },
      changes: { tool: { ...tool, version: "9.9.9" } },
    };
    expect(check({ index: 0, count: 2 }, other)).toEqual({
      refusals: [],
      gaps: [
        "part-2.bearhug: has another test or plan than part-1.bearhug.",
        "part-2.bearhug: has another limit (--max-failed or --allow-saturated) than part-1.bearhug.",
        "part-2.bearhug: has another seed than part-1.bearhug: 8 instead of 7.",
        "part-2.bearhug: has another start time (--start-at) than part-1.bearhug: 2026-11-21T10:00:00.000Z instead of none.",
        "part-2.bearhug: has another bearhug version than part-1.bearhug: 9.9.9 instead of 0.1.0.",
      ],
    });
  });

  test("must be shards, and each a run of its own", () => {
    const part = partOf({ index: 0, count: 1 });
    const ordinary = { ...part, name: "run.bearhug", run: { ...part.run, shard: null } };
    expect(checkParts([part, part, ordinary]).refusals).toEqual([
      "run.bearhug: is not a part of a run: it was recorded without --shard, or its test could not be loaded.",
      "part-1.bearhug: was given twice. Give it once.",
    ]);
  });

  test("that are copies of one run are refused with one sentence, whatever their names", () => {
    const part = partOf({ index: 0, count: 1 });
    expect(checkParts([part, { ...part, name: "copy.bearhug" }])).toMatchObject({
      refusals: ["copy.bearhug: is the same run as part-1.bearhug. Give only one of them."],
      gaps: [],
    });
  });

  test("must have samples that can be added up", () => {
    const other = {
      index: 1,
      count: 2,
      plan: { metrics: { basket: { type: "counter", unit: null } as const } },
    };
    expect(check({ index: 0, count: 2 }, other).refusals).toEqual([
      "part-2.bearhug: declares other metrics than part-1.bearhug, so their samples cannot be added up.",
    ]);
  });
});
