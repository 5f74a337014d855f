import type { TrialResult } from "@bearhug/sdk/result";
import { describe, expect, test } from "vitest";

import { judgeLadder, whyLadderEnds } from "../../../src/trials/sweep/judge-ladder.ts";
import { limitedTrial, rateTrial, trialOf } from "../trial-of.ts";

const saturated = { generator: { verdict: "saturated", reasons: ["busy"] } } as const;

function good(...rates: readonly number[]): TrialResult[] {
  return rates.map((rate, index) => trialOf(2 ** index, (2 ** index * 1000) / rate));
}

describe("a ladder goes on", () => {
  test("before its first step, and while throughput grows or keeps level", () => {
    expect(whyLadderEnds([])).toBeNull();
    expect(whyLadderEnds(good(100, 200, 390, 400, 395, 380))).toBeNull();
  });

  test("after one step well under the peak, or behind its rate", () => {
    expect(whyLadderEnds(good(100, 200, 150))).toBeNull();
    expect(whyLadderEnds([rateTrial(100, 100), rateTrial(200, 120)])).toBeNull();
  });

  test("with some failures", () => {
    expect(whyLadderEnds([trialOf(1, 10, { failedShare: 0.09 })])).toBeNull();
  });
});

describe("a ladder ends", () => {
  test("once a tenth of the operations fail", () => {
    expect(whyLadderEnds([trialOf(1, 10), trialOf(2, 10, { failedShare: 0.1 })])).toBe("failures");
    expect(whyLadderEnds([trialOf(1, 10, { count: 0 })])).toBe("failures");
  });

  test("after two steps in a row under four fifths of the peak", () => {
    expect(whyLadderEnds(good(100, 200, 150, 140))).toBe("throughput");
    expect(whyLadderEnds(good(100, 200, 150, 170))).toBeNull();
  });

  test("after two steps in a row that fall behind the rate", () => {
    expect(whyLadderEnds([rateTrial(100, 100), rateTrial(200, 150), rateTrial(400, 160)])).toBe("rate");
  });

  test("when the generator is saturated, whatever else happened", () => {
    expect(whyLadderEnds([trialOf(2, 10, { ...saturated, failedShare: 1 })])).toBe("generator");
  });
});

test("steps with a saturated generator or many failures are not used to judge the target", () => {
  const steps = [1, 2, 4, 8, 16, 32].map((vus) => limitedTrial(vus, 4, 10));
  const spoilt = [trialOf(64, 1, saturated), trialOf(128, 1, { failedShare: 0.5 })];
  expect(judgeLadder([...steps, ...spoilt])).toEqual(judgeLadder(steps));
  expect(judgeLadder(steps).scalability?.steps).toBe(6);
});
