import { randomSource } from "@bearhug/plan/pacing/random-source";
import { expect, test } from "vitest";

import { estimateObjective } from "../../../src/trials/capacity/estimate.ts";
import { judgeEstimate } from "../../../src/trials/capacity/judge.ts";
import type { Batch, Objective } from "../../../src/trials/capacity/objective.ts";
import { slowRequests } from "./simulated-targets.ts";

const meanTime: Objective = { ...slowRequests, judges: "mean", bound: 20, limitMs: null };

/** Returns one batch of requests for each second; `violations` counts those that violate the objective. */
function seconds(violations: readonly number[], samples = 1000): Batch[] {
  return violations.map((total) => ({ samples, total, slow: 200 }));
}

function verdictOn(batches: readonly Batch[], look = 1, objective = slowRequests): string | undefined {
  const estimate = estimateObjective(objective, batches);
  return estimate === null ? undefined : judgeEstimate(objective, estimate, look).verdict;
}

test("a share is judged once its interval no longer contains the bound", () => {
  expect(verdictOn(seconds([2, 1, 3, 2, 2, 1, 2, 3]))).toBe("PASS");
  expect(verdictOn(seconds([21, 19, 20, 22, 18, 20, 21, 19]))).toBe("FAIL");
  expect(verdictOn(seconds([10, 9, 11, 8, 12, 10, 9, 11]))).toBe("UNDECIDED");
});

test("no violation among few requests shows nothing", () => {
  expect(verdictOn(seconds([0, 0, 0, 0], 50))).toBe("UNDECIDED");
  expect(verdictOn(seconds([0, 0, 0, 0], 1000))).toBe("PASS");
});

test("fewer than three seconds with requests are too little to judge", () => {
  expect(verdictOn(seconds([0, 0]))).toBeUndefined();
  expect(verdictOn([...seconds([0, 0]), { samples: 0, total: 0, slow: 0 }])).toBeUndefined();
});

test("clustered violations count as few independent ones", () => {
  const even = estimateObjective(slowRequests, seconds([5, 5, 5, 5, 5, 5, 5, 5]));
  const together = estimateObjective(slowRequests, seconds([0, 0, 40, 0, 0, 0, 0, 0]));
  expect(even).toMatchObject({ value: 0.005, designEffect: 1 });
  expect(together?.value).toBe(0.005);
  expect(together?.designEffect).toBeGreaterThan(30);
  expect(verdictOn(seconds([0, 0, 40, 0, 0, 0, 0, 0]))).toBe("UNDECIDED");
});

test("clusters of slow requests cast doubt on a trial without a violation", () => {
  const clustered = [900, 0, 700, 0, 0, 0, 0, 0].map((slow) => ({ samples: 1000, total: 0, slow }));
  expect(verdictOn(seconds([0, 0, 0, 0, 0, 0, 0, 0]))).toBe("PASS");
  expect(verdictOn(clustered)).toBe("UNDECIDED");
});

test("a mean is judged by the spread of its batches", () => {
  const means = (values: readonly number[]): Batch[] =>
    values.map((mean) => ({ samples: 100, total: mean * 100, slow: 0 }));
  expect(verdictOn(means([15, 16, 14, 15, 15]), 1, meanTime)).toBe("PASS");
  expect(verdictOn(means([25, 26, 24, 25, 25]), 1, meanTime)).toBe("FAIL");
  expect(verdictOn(means([5, 35, 10, 30, 15]), 1, meanTime)).toBe("UNDECIDED");
});

test("each further look needs stronger evidence", () => {
  const batches = seconds([6, 5, 7, 6, 5, 7, 6, 6]);
  expect(verdictOn(batches, 1)).toBe("PASS");
  expect(verdictOn(batches, 50)).toBe("UNDECIDED");
});

test("at the bound itself, looking ten times decides wrongly in few runs", () => {
  const wrong = Array.from({ length: 200 }, (_, seed) => {
    const random = randomSource(seed, 1);
    const violations: number[] = [];
    const looks = Array.from({ length: 10 }, (_unused, look) => {
      for (let second = 0; second < 10; second++) {
        violations.push(Array.from({ length: 200 }, random).filter((value) => value < 0.05).length);
      }
      return verdictOn(seconds(violations, 200), look + 1, { ...slowRequests, bound: 0.05 });
    });
    return looks.some((verdict) => verdict === "PASS" || verdict === "FAIL");
  });
  expect(wrong.filter(Boolean).length).toBeLessThanOrEqual(20);
});
