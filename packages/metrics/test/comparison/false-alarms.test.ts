import type { ComparisonAnswer } from "@bearhug/sdk/result";
import { expect, test } from "vitest";

import { compareResults, type ComparisonRules } from "../../src/comparison/compare-results.ts";
import type { NamedRun } from "../../src/comparison/comparable.ts";
import { randomSource } from "../../../plan/src/pacing/random-source.ts";
import { simulateQueue, type SimulatedQueue } from "./simulated-queues.ts";
import { simulateSide, type SimulatedResult } from "./simulated-results.ts";

// This file tries a few dozen seeds; bench/compare-accuracy.ts tries a thousand.

const rules: ComparisonRules = {
  tolerance: 0.05,
  rateTolerance: 0.005,
  runNoise: 0.05,
  isAnyMachine: false,
  isAnyGenerator: false,
  isAnyRedirect: false,
  isAnySize: false,
  failsOnUndecided: false,
};

type Simulate = (seed: number, isNew: boolean) => NamedRun[];

/** Returns how many of `pairs` pairs of runs get this answer. */
function count(
  answer: ComparisonAnswer,
  pairs: number,
  simulate: Simulate,
  tolerance: number = rules.tolerance,
): number {
  const answers = Array.from({ length: pairs }, (_, pair) => {
    const comparer = { tool: { name: "bearhug", version: "0" }, failedCode: 99 };
    const [base, other] = [simulate(2 * pair + 1, false), simulate(2 * pair + 2, true)];
    const random = (): (() => number) => randomSource(pair, 0);
    return compareResults(base, other, { ...rules, tolerance }, { ...comparer, random }).verdict;
  });
  return answers.filter((one) => one === answer).length;
}

function queue(load: number, servers: number, newLoad = load): Simulate {
  const common: Omit<SimulatedQueue, "seed" | "load"> = { seconds: 30, capacityPerSecond: 100, servers };
  return (seed, isNew) => simulateQueue("run", { ...common, seed, load: isNew ? newLoad : load });
}

function service(run: Partial<SimulatedResult>, changed: Partial<SimulatedResult> = {}): Simulate {
  const usual = { seconds: 30, requestsPerSecond: 300, ...run };
  return (seed, isNew) => simulateSide("run", [{ ...usual, ...(isNew ? changed : {}), seed }]);
}

/** The most false alarms that 20 pairs give in 99 of 100 cases, if 1 of 20 is wrong (binomial). */
const mostOf20 = 3;

test.each([
  ["a queue at 90 % of its capacity", queue(0.9, 1)],
  ["a queue at 95 % of its capacity", queue(0.95, 1)],
  ["a queue for four servers at 90 % of their capacity", queue(0.9, 4)],
  ["a service that drifts by itself in each run", service({ ownDrift: 0.3 })],
])("two equal runs are hardly ever called REGRESSED: %s", (_what, simulate) => {
  expect(count("regressed", 20, simulate)).toBeLessThanOrEqual(mostOf20);
});

test("five runs a side that drift alike and differ by chance are hardly ever called REGRESSED without tolerance", () => {
  const side = (name: string, first: number): NamedRun[] =>
    simulateSide(
      name,
      [0, 1, 2, 3, 4].map((at) => {
        return { seconds: 10, requestsPerSecond: 100, drift: 0.4, runNoise: 0.06, seed: first + at };
      }),
    );
  const regressed = count("regressed", 20, (seed, isNew) => side(isNew ? "new" : "base", 10 * seed), 0);
  expect(regressed).toBeLessThanOrEqual(mostOf20);
});

test("a note on runs of a queue near its limit says how few independent blocks they have", () => {
  const [base, other] = [queue(0.95, 1)(1, false), queue(0.95, 1)(2, true)];
  const { notes } = compareResults(base, other, rules, {
    tool: { name: "bearhug", version: "0" },
    failedCode: 99,
    random: () => randomSource(1, 0),
  });
  expect(notes[0]).toMatch(/: the 30 blocks of time say as much as \d independent ones?\. Run longer/);
});

test.each([
  ["+15 % of an ordinary service", service({ wave: 0.02 }, { factor: 1.15 })],
  ["+15 % of a service that drifts alike in all runs", service({ drift: 0.4 }, { factor: 1.15 })],
  ["a queue that can no longer take its load", queue(0.8, 1, 1.2)],
])("a clear change is found: %s", (_what, simulate) => {
  expect(count("regressed", 10, simulate)).toBeGreaterThanOrEqual(9);
});
