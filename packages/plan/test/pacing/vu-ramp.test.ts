import fc from "fast-check";
import { describe, expect, test } from "vitest";

import type { ValidatedStage } from "../../src/pacing/load-over-time.ts";
import { vuRamp } from "../../src/executors/ramping-vus.ts";

const stages = (...list: readonly [durationMs: number, target: number][]): ValidatedStage[] =>
  list.map(([durationMs, target]) => ({ durationMs, target }));

/** Returns the steps as text, such as `2+ 1500`: VU 2 joins at 1500 ms. */
function written(startVUs: number, list: readonly ValidatedStage[]): string[] {
  return [...vuRamp(startVUs, list)].map(
    ({ vu, joins, atMs }) => `${vu}${joins ? "+" : "-"} ${Math.round(atMs)}`,
  );
}

describe("a ramp of virtual users", () => {
  test.each([
    {
      what: "goes up",
      start: 0,
      list: stages([4000, 4]),
      steps: ["0+ 1000", "1+ 2000", "2+ 3000", "3+ 4000"],
    },
    {
      what: "goes down",
      start: 3,
      list: stages([3000, 0]),
      steps: ["0+ 0", "1+ 0", "2+ 0", "2- 1000", "1- 2000", "0- 3000"],
    },
    {
      what: "goes up from a start above 0",
      start: 2,
      list: stages([1000, 4]),
      steps: ["0+ 0", "1+ 0", "2+ 500", "3+ 1000"],
    },
    {
      what: "goes down to a target above 0",
      start: 3,
      list: stages([1000, 1]),
      steps: ["0+ 0", "1+ 0", "2+ 0", "2- 500", "1- 1000"],
    },
    { what: "stays", start: 1, list: stages([1000, 1], [500, 1]), steps: ["0+ 0"] },
    { what: "jumps up in 0 s", start: 0, list: stages([0, 2], [1000, 2]), steps: ["0+ 0", "1+ 0"] },
    {
      what: "jumps down in 0 s",
      start: 2,
      list: stages([1000, 2], [0, 0]),
      steps: ["0+ 0", "1+ 0", "1- 1000", "0- 1000"],
    },
    {
      what: "goes up, stays, and goes down",
      start: 0,
      list: stages([2000, 2], [1000, 2], [2000, 0]),
      steps: ["0+ 1000", "1+ 2000", "1- 4000", "0- 5000"],
    },
    {
      what: "brings back a VU that had left",
      start: 1,
      list: stages([1000, 0], [1000, 1]),
      steps: ["0+ 0", "0- 1000", "0+ 2000"],
    },
  ])("that $what", ({ start, list, steps }) => {
    expect(written(start, list)).toEqual(steps);
  });

  test("follows the formulas for ramping up and down, to the microsecond", () => {
    const up = [...vuRamp(3, stages([7000, 20]))].slice(3);
    expect(up.map(({ atMs }) => atMs.toFixed(3))).toEqual(
      Array.from({ length: 17 }, (_, index) => (7000 - (7000 * (20 - (4 + index))) / (20 - 3)).toFixed(3)),
    );
    const down = [...vuRamp(20, stages([7000, 3]))].slice(20);
    expect(down.map(({ atMs }) => atMs.toFixed(3))).toEqual(
      Array.from({ length: 17 }, (_, index) => {
        const n = 20 - index;
        return (7000 - (7000 * (3 - n + 1)) / (3 - 20)).toFixed(3);
      }),
    );
  });

  test("has its steps in order: only active VUs leave, only inactive ones join, and it ends at the last target", () => {
    const someStages = fc.array(
      fc.record({
        durationMs: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 60_000 })),
        target: fc.integer({ min: 0, max: 60 }),
      }),
      { minLength: 1, maxLength: 8 },
    );
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 40 }), someStages, (startVUs, list) => {
        const active = new Set<number>();
        let beforeMs = 0;
        for (const { atMs, vu, joins } of vuRamp(startVUs, list)) {
          expect(atMs).toBeGreaterThanOrEqual(beforeMs);
          beforeMs = atMs;
          expect(active.has(vu)).toBe(!joins);
          if (joins) active.add(vu);
          else active.delete(vu);
          // The active VUs are always those with the lowest numbers.
          expect(Math.max(-1, ...active)).toBe(active.size - 1);
        }
        expect(active.size).toBe(list.at(-1)?.target);
        expect(beforeMs).toBeLessThanOrEqual(list.reduce((sum, { durationMs }) => sum + durationMs, 0));
      }),
      { numRuns: 80 },
    );
  });

  test("holds each stage's target at the stage's end", () => {
    const list = stages([1000, 30], [500, 7], [0, 12], [2000, 12], [3000, 0]);
    let endMs = 0;
    for (const { durationMs, target } of list) {
      endMs += durationMs;
      // Two stages end at 1500 ms: the jump decides.
      const expected = endMs === 1500 ? 12 : target;
      const steps = [...vuRamp(5, list)].filter(({ atMs }) => atMs <= endMs);
      expect(steps.reduce((sum, { joins }) => sum + (joins ? 1 : -1), 0)).toBe(expected);
    }
  });
});
