import type { CapacityResult } from "@bearhug/sdk/result";
import { describe, expect, test } from "vitest";

import {
  describeAnswer,
  describeConfirmation,
  describeContradiction,
  describeGenerators,
  describeProgress,
  describeReading,
  describeBracketAndTime,
  describeStep,
  titleReading,
} from "../../src/model/capacity.ts";
import { foundCapacity } from "../found-capacity.ts";

const { capacity } = foundCapacity;

describe("the answer is one sentence", () => {
  const none = { load: null, low: null, high: null };
  test.each<[Partial<CapacityResult>, string]>([
    [{}, "rely on 794.2/s: the capacity is about 812.0/s, between 794.2/s and 831.0/s with 95 % confidence"],
    [
      { load: 812.34, low: 794.28, high: 831.02 },
      "rely on 794.2/s: the capacity is about 812.3/s, between 794.2/s and 831.1/s with 95 % confidence",
    ],
    [
      { unit: "vus", load: 81, low: 79, high: 84 },
      "rely on 79 VUs: the capacity is about 81 VUs, between 79 VUs and 84 VUs with 95 % confidence",
    ],
    [
      { answer: "met-at-highest", load: 1000 },
      "the objectives are met at 1000/s, the highest load tried: raise --max-rate to find the capacity",
    ],
    [
      { answer: "not-met-at-lowest", load: 10 },
      "the objectives are not met at 10.00/s, the lowest load tried",
    ],
    [
      { answer: "generator-limited", load: 9000 },
      "generator-limited at 9000/s: the objectives are met there, and this machine cannot apply more load",
    ],
    [
      { answer: "undecided" },
      "UNDECIDED between 794.2/s and 831.0/s: budget spent; raise --budget to narrow it",
    ],
    [{ answer: "undecided", high: null }, "UNDECIDED above 794.2/s: budget spent; raise --budget"],
    [{ answer: "undecided", low: null }, "UNDECIDED below 831.0/s: budget spent; raise --budget"],
    [{ answer: "undecided", ...none }, "UNDECIDED: no load was decided in 2 m 14 s; raise --budget"],
  ])("case %#", (parts, sentence) => {
    expect(describeAnswer({ ...capacity, ...parts })).toBe(sentence);
  });
});

test("the answer suggests a remedy if no request succeeded or no trial ran", () => {
  const none = { answer: "undecided", load: null, low: null, high: null } as const;
  const silent = capacity.trials.map((trial) => ({ ...trial, figures: { ...trial.figures, goodRate: 0 } }));
  expect(describeAnswer({ ...capacity, ...none, trials: silent })).toBe(
    "UNDECIDED: the target served no load. Check it with a single request, bearhug <url> -n 1; if it is just slow, raise --budget",
  );
  expect(describeAnswer({ ...capacity, ...none, trials: [] })).toBe(
    "UNDECIDED: the first trial did not fit into the budget; raise --budget",
  );
});

test("the confirmation states what one run can prove", () => {
  expect(describeConfirmation(capacity)).toBe(
    "confirmation at 812.0/s: objective 1 violated by 0.87 % (0.55 % to 1.36 %), objective 2 violated by 0 % (0 % to 0.02 %): no objective is shown to be violated, but one run is too short to show that all are met",
  );
  expect(describeConfirmation({ ...capacity, confirmed: null })).toBeNull();
});

test("the title of a share says that its requests violate the objective", () => {
  expect(titleReading("objective 1", { judges: "share" })).toBe("objective 1 violated by");
  expect(titleReading("objective 1", { judges: "mean" })).toBe("objective 1");
});

test("contradictory trials are reported: a load passed, and a lower one failed", () => {
  const [first] = capacity.trials;
  if (first === undefined) throw new Error("no trial");
  const trial = (perSecond: number, verdict: "PASS" | "FAIL", isGeneratorLimited = false) => {
    const load = { kind: "rate", perSecond } as const;
    return { ...first, verdict, isGeneratorLimited, figures: { ...first.figures, load } };
  };
  const contradict = (...trials: CapacityResult["trials"]): string[] =>
    describeContradiction({ ...capacity, trials });
  expect(contradict(trial(296, "PASS"), trial(345, "FAIL"))).toEqual([]);
  expect(contradict(trial(345, "PASS"), trial(296, "FAIL", true))).toEqual([]);
  // More trials at the lower load have shown that it passes.
  expect(contradict(trial(345, "PASS"), trial(296, "FAIL"), trial(296, "PASS"))).toEqual([]);
  expect(contradict(trial(345, "PASS"), trial(296, "FAIL"), trial(280, "PASS"))).toEqual([
    "the trials contradict each other: PASS at 345.0/s, but FAIL at 296.0/s. The target was slower at times, so the answer is uncertain; search again while nothing else uses it",
  ]);
});

test("a mean is shown in milliseconds, or in the unit of its gauge", () => {
  const reading = { verdict: "PASS", value: 12, low: 11, high: 13 } as const;
  expect(describeReading(reading, { judges: "mean", bound: 20 })).toBe("12.0 ms (11.0 ms to 13.0 ms)");
  expect(describeReading(null, { judges: "mean", bound: 20 })).toBe("too few requests");
  const cpu = { judges: "mean", bound: 70, gaugeUnit: "%" } as const;
  expect(describeReading({ ...reading, value: 61.24, low: 60, high: 63 }, cpu)).toBe(
    "61.2 % (60.0 % to 63.0 %)",
  );
  expect(describeReading(null, cpu)).toBe("too few readings");
});

test("progress shows the narrowing bracket, with ~ before loads that are not decided", () => {
  const [trial] = foundCapacity.capacity.trials;
  if (trial === undefined) throw new Error("no trial");
  const progress = {
    ...({ unit: "rate", passed: 700, failed: 1000, spentMs: 61_000, budgetMs: 300_000 } as const),
    met: { load: 800 },
    violated: { load: 1000 },
  };
  expect(describeProgress(trial, progress)).toBe(
    "   1000/s  FAIL        bracket ~800.0/s … 1000/s             1 m 1 s of 5 m 0 s".replace(
      "   1000/s",
      "    1000/s",
    ),
  );
  expect(
    describeProgress({ ...trial, isGeneratorLimited: true }, { ...progress, met: null, passed: null }),
  ).toContain("GENERATOR   bracket ? … 1000/s");
  expect(describeBracketAndTime(progress)).toBe("bracket ~800.0/s … 1000/s; 1 m 1 s of 5 m 0 s spent");
  expect(describeStep({ load: 850, purpose: "confirmation" }, "rate")).toBe("confirming 850.0/s");
  expect(describeStep({ load: 1, purpose: "bracket" }, "vus")).toBe("trying 1 VU");
});

test("an unhealthy generator is reported, with its consequence for the answer", () => {
  const [first, ...others] = capacity.trials;
  if (first === undefined) throw new Error("no trial");
  const withGenerator = (verdict: "saturated" | "strained"): CapacityResult => {
    const generator = { verdict, reasons: ["The CPU is busy."] };
    const isGeneratorLimited = verdict === "saturated";
    return {
      ...capacity,
      trials: [{ ...first, isGeneratorLimited, figures: { ...first.figures, generator } }, ...others],
    };
  };
  expect(describeGenerators(capacity)).toEqual([]);
  expect(describeGenerators(withGenerator("saturated"))).toEqual([
    "the load generator was saturated in 1 of 3 trials, which do not count. At 1000/s: The CPU is busy.",
  ]);
  expect(describeGenerators(withGenerator("strained"))).toEqual([
    "the load generator was strained in 1 of 3 trials: it may have made responses look slower, so the target may take more. At 1000/s: The CPU is busy.",
  ]);
  const saturated = { ...withGenerator("saturated"), answer: "undecided", low: null, high: null } as const;
  expect(describeAnswer({ ...saturated, trials: saturated.trials.slice(0, 1) })).toBe(
    "UNDECIDED: the load generator was saturated in every trial, so none says anything of the target",
  );
});
