// Are the answers of `bearhug compare` right? Simulated runs, 1,000 of each kind. Two runs of the same thing
// must be called REGRESSED in at most 1 of 20 comparisons, even if each second depends on the one before, as
// in a queue near its limit, and if runs differ. A p95 that is 15 % higher must be found in at least 19 of 20
// with runs of 30 s, and one that is 5 % higher in an A/B test with a tolerance of 1 %.
import { parseArgs } from "node:util";

import type { NamedRun } from "../packages/metrics/src/comparison/comparable.ts";
import { compareResults, type ComparisonRules } from "../packages/metrics/src/comparison/compare-results.ts";
import { randomSource } from "../packages/plan/src/pacing/random-source.ts";
import { simulateQueue, type SimulatedQueue } from "../packages/metrics/test/comparison/simulated-queues.ts";
import { simulateSide, type SimulatedResult } from "../packages/metrics/test/comparison/simulated-results.ts";

const { values: options } = parseArgs({
  options: { seeds: { type: "string", default: "1000" }, only: { type: "string", default: "" } },
});
const seeds = Number(options.seeds);

interface Case<Run = Omit<SimulatedResult, "seed">> {
  readonly name: string;
  readonly run: Run;
  /** The changes of the new side. */
  readonly changed?: Partial<Run>;
  readonly runs?: number;
  readonly tolerance?: number;
  readonly runNoise?: number;
  /**
   * The least share of comparisons that must say REGRESSED, or the greatest share that the interval must
   * reach.
   */
  readonly expected: { readonly atLeast: number } | { readonly atMost: number };
}

const quiet = { seconds: 30, requestsPerSecond: 500 };
const usual = { ...quiet, wave: 0.02, runNoise: 0.01 };
const alike = { atMost: 0.05 };
const found = { atLeast: 0.95 };
const turns = { seconds: 30, requestsPerSecond: 500 };

type QueueCase = Case<Omit<SimulatedQueue, "seed">>;

const queue = { seconds: 30, capacityPerSecond: 100, servers: 1 };

const queues: readonly QueueCase[] = [
  ...[0.5, 0.8, 0.9, 0.95].map((load) => ({
    name: `the same, M/M/1 queue of 100/s at ${load * 100} %, 30 s`,
    run: { ...queue, load },
    expected: alike,
  })),
  ...[0.9, 0.95].map((load) => ({
    name: `the same, M/M/4 queue of 100/s at ${load * 100} %, 30 s`,
    run: { ...queue, servers: 4, load },
    expected: alike,
  })),
  {
    name: "the same, M/M/1 queue of 100/s at 95 %, 2 min",
    run: { ...queue, seconds: 120, load: 0.95 },
    expected: alike,
  },
  {
    name: "M/M/1 queue from 50 % to 80 %, 30 s",
    run: { ...queue, load: 0.5 },
    changed: { load: 0.8 },
    expected: found,
  },
  ...[0.8, 0.9].map((load) => ({
    name: `M/M/1 queue from ${load * 100} % to 120 %, 30 s`,
    run: { ...queue, load },
    changed: { load: 1.2 },
    expected: found,
  })),
];

const services: readonly Case[] = [
  { name: "the same, 30 s", run: quiet, expected: alike },
  { name: "the same, seconds depend on each other (SD 5 %)", run: { ...quiet, wave: 0.05 }, expected: alike },
  {
    name: "the same, runs differ as declared (SD 1.8 %)",
    run: { ...usual, runNoise: 0.018 },
    expected: alike,
  },
  {
    name: "the same, runs differ more than declared (SD 3 %)",
    run: { ...usual, wave: 0.05, runNoise: 0.03 },
    expected: alike,
  },
  { name: "the same, 10 s of 20 requests/s", run: { seconds: 10, requestsPerSecond: 20 }, expected: alike },
  {
    name: "the same, 2 runs a side, SD 4 %",
    run: { ...usual, seconds: 10, runNoise: 0.04 },
    runs: 2,
    expected: alike,
  },
  {
    name: "the same, 5 runs a side, SD 8 %",
    run: { ...usual, seconds: 10, runNoise: 0.08 },
    runs: 5,
    expected: alike,
  },
  {
    name: "at the tolerance, 5 runs a side, SD 4 %",
    run: { ...usual, seconds: 10, runNoise: 0.04 },
    changed: { factor: 1.05 },
    runs: 5,
    expected: alike,
  },
  {
    name: "at the tolerance, 30 s, runs differ as declared",
    run: { ...usual, runNoise: 0.018 },
    changed: { factor: 1.05 },
    expected: alike,
  },
  { name: "the same, all runs drift by 50 %", run: { ...quiet, drift: 0.4 }, expected: alike },
  { name: "the same, each run drifts (SD 30 %)", run: { ...quiet, ownDrift: 0.3 }, expected: alike },
  {
    name: "+15 % in all, 30 s, all runs drift by 50 %",
    run: { ...usual, drift: 0.4 },
    changed: { factor: 1.15 },
    expected: found,
  },
  { name: "+15 % in all, 30 s", run: usual, changed: { factor: 1.15 }, expected: found },
  { name: "+15 % of the p95 alone, 30 s", run: usual, changed: { tailFactor: 1.15 }, expected: found },
  {
    name: "+15 % of the p95 alone, 30 s of 2,000 requests/s",
    run: { ...usual, requestsPerSecond: 2000 },
    changed: { tailFactor: 1.15 },
    expected: found,
  },
  {
    name: "+15 % in all, 5 runs a side of 10 s, SD 2 %",
    run: { ...usual, seconds: 10, runNoise: 0.02 },
    changed: { factor: 1.15 },
    runs: 5,
    expected: found,
  },
  {
    name: "A/B, the same, a common wave (SD 10 %)",
    run: { ...turns, commonWave: 0.1 },
    tolerance: 0.01,
    runNoise: 0,
    expected: alike,
  },
  {
    name: "A/B, at the tolerance of 1 %",
    run: { ...turns, commonWave: 0.1 },
    changed: { factor: 1.01 },
    tolerance: 0.01,
    runNoise: 0,
    expected: alike,
  },
  {
    name: "A/B, +5 %, a common wave (SD 10 %)",
    run: { ...turns, commonWave: 0.1 },
    changed: { factor: 1.05 },
    tolerance: 0.01,
    runNoise: 0,
    expected: found,
  },
];

/** Simulates the runs of both sides; each has its own seed. */
function pairOf<Run>(
  { run, changed, runs = 1 }: Case<Run>,
  pair: number,
  simulate: (name: string, run: Run & { readonly seed: number }) => readonly NamedRun[],
): readonly [base: NamedRun[], other: NamedRun[]] {
  const side = (name: string, offset: number, one: Run): NamedRun[] =>
    Array.from({ length: runs }, (_, at) =>
      simulate(name, { ...one, seed: pair * 2 * runs + offset + at + 1 }),
    ).flat();
  return [side("base", 0, run), side("new", runs, { ...run, ...changed })];
}

const simulated: readonly { readonly one: Case<unknown>; readonly verdict: (seed: number) => string }[] = [
  ...queues.map((one) => ({
    one,
    verdict: (seed: number) => compareOnce(one, seed, pairOf(one, seed, simulateQueue)),
  })),
  ...services.map((one) => ({
    one,
    verdict: (seed: number) => {
      const simulate = (name: string, run: SimulatedResult): NamedRun[] =>
        simulateSide(name, [{ ...run, commonSeed: seed }]);
      return compareOnce(one, seed, pairOf(one, seed, simulate));
    },
  })),
];

function compareOnce(
  { tolerance = 0.05, runNoise = 0.05 }: Case<unknown>,
  seed: number,
  [base, other]: readonly [base: NamedRun[], other: NamedRun[]],
): string {
  const rules: ComparisonRules = {
    tolerance,
    rateTolerance: 0.005,
    runNoise,
    isAnyMachine: false,
    isAnyGenerator: false,
    isAnyRedirect: false,
    isAnySize: false,
    failsOnUndecided: false,
  };
  return compareResults(base, other, rules, {
    tool: { name: "bearhug", version: "0" },
    random: () => randomSource(seed, 0),
    failedCode: 99,
  }).verdict;
}

/** Returns Wilson's 95 % interval. */
function wilson(share: number): readonly [low: number, high: number] {
  const z = 1.96;
  const middle = (share + z ** 2 / (2 * seeds)) / (1 + z ** 2 / seeds);
  const half =
    (z * Math.sqrt((share * (1 - share)) / seeds + z ** 2 / (4 * seeds ** 2))) / (1 + z ** 2 / seeds);
  return [Math.max(0, middle - half), middle + half];
}

function interval(share: number): string {
  return `${wilson(share)
    .map((end) => (end * 100).toFixed(1))
    .join("–")} %`;
}

let misses = 0;
console.log(
  "| runs | REGRESSED | 95 % interval | OK | UNDECIDED | wanted |\n| --- | ---: | --- | ---: | ---: | --- |",
);
for (const { one, verdict: verdictOf } of simulated.filter(({ one: { name } }) =>
  name.includes(options.only),
)) {
  const verdicts = Array.from({ length: seeds }, (_, seed) => verdictOf(seed));
  const shareOf = (verdict: string): number => verdicts.filter((given) => given === verdict).length / seeds;
  const regressed = shareOf("regressed");
  const { expected } = one;
  const isMet =
    "atMost" in expected ? wilson(regressed)[0] <= expected.atMost : regressed >= expected.atLeast;
  if (!isMet) misses++;
  const wanted =
    "atMost" in expected ? `at most ${expected.atMost * 100} %` : `at least ${expected.atLeast * 100} %`;
  const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
  console.log(
    `| ${one.name} | ${percent(regressed)} | ${interval(regressed)} | ${percent(shareOf("ok"))} | ${percent(shareOf("undecided"))} | ${wanted}${isMet ? "" : ": MISSED"} |`,
  );
}
process.exitCode = misses > 0 ? 1 : 0;
