import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { chooseRound, type Candidate } from "../../compare/time-budget.ts";

const first = { rank: 0, costMs: 10, roundsDone: 0 } as const;
const second = { rank: 1, costMs: 10, roundsDone: 0 } as const;

describe("choosing a round", () => {
  test("takes everything that is not done if there is time for all rounds", () => {
    const done = { ...first, roundsDone: 5 };
    expect(chooseRound([second, first, done], 5, 100)).toEqual([second, first]);
  });

  test("keeps time for all rounds of the first rank before the second gets any", () => {
    expect(chooseRound([first, second], 5, 59)).toEqual([first]);
    expect(chooseRound([first, second], 5, 60)).toEqual([first, second]);
  });

  test("gives the remaining time to as many of the second rank as fit, those with the fewest rounds first", () => {
    const behind = { ...second, name: "behind" };
    const ahead = { ...second, roundsDone: 1, name: "ahead" };
    expect(chooseRound([ahead, behind], 5, 15)).toEqual([behind]);
  });

  test("takes what fits of the first rank if time is short even for that", () => {
    expect(chooseRound([first, { ...first, costMs: 30 }, first, second], 5, 25)).toEqual([first, first]);
  });

  test("ends when all rounds are done, or no time is left", () => {
    expect(chooseRound([{ ...first, roundsDone: 2 }], 2, 1000)).toEqual([]);
    expect(chooseRound([first], 2, 0)).toEqual([]);
  });
});

test("the rounds together never take longer than the time, and all are done if there is enough of it", () => {
  const candidate = fc.record({
    rank: fc.constantFrom(0 as const, 1 as const),
    costMs: fc.integer({ min: 1, max: 50 }),
  });
  fc.assert(
    fc.property(fc.array(candidate, { maxLength: 12 }), fc.nat(3000), (candidates, timeMs) => {
      const all = candidates.map((each) => ({ ...each, roundsDone: 0 }));
      const spentMs = runAll(all, timeMs);
      const neededMs = all.reduce((sum, { costMs }) => sum + costMs * 5, 0);
      expect(spentMs).toBeLessThanOrEqual(timeMs);
      if (neededMs <= timeMs) expect(spentMs).toBe(neededMs);
    }),
  );
});

/** Runs rounds until none is chosen; returns their total duration. */
function runAll(all: (Candidate & { roundsDone: number })[], timeMs: number): number {
  let spentMs = 0;
  for (;;) {
    const chosen = chooseRound(all, 5, timeMs - spentMs);
    if (chosen.length === 0) return spentMs;
    for (const each of chosen) {
      each.roundsDone++;
      spentMs += each.costMs;
    }
  }
}
