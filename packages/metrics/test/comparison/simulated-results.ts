import type { TestResult } from "@bearhug/sdk";

import type { NamedRun } from "../../src/comparison/comparable.ts";
import { randomSource, type RandomSource } from "../../../plan/src/pacing/random-source.ts";
import { resultOfSeconds, type SimulatedSecond } from "./result-of-seconds.ts";

/** A run against a server whose times depend on each other, in simulated time. */
export interface SimulatedResult {
  readonly seed: number;
  readonly seconds: number;
  readonly requestsPerSecond: number;
  /** All times are multiplied by this. */
  readonly factor?: number;
  /** The slowest tenth of all times is multiplied by this, too. */
  readonly tailFactor?: number;
  /** The standard deviation of a wave that runs with the same `commonSeed` share, as if they took turns. */
  readonly commonWave?: number;
  readonly commonSeed?: number;
  /** The standard deviation of the logarithm by which one whole run is slower or faster. */
  readonly runNoise?: number;
  /** The standard deviation of a slow wave, which goes on for several seconds (AR(1) with 0.7 from one second to the next). */
  readonly wave?: number;
  /** The logarithm of the factor by which all times grow in the course of a run. */
  readonly drift?: number;
  /** The standard deviation of a further drift, up or down, that differs from run to run. */
  readonly ownDrift?: number;
  readonly failedShare?: number;
}

/** Simulates a run second by second, and returns its result. */
export function simulateResult(run: SimulatedResult): TestResult {
  const { seed, seconds, requestsPerSecond, runNoise = 0, failedShare = 0, drift = 0, ownDrift = 0 } = run;
  const random = randomSource(seed, 7);
  const runFactor = (run.factor ?? 1) * Math.exp(runNoise * normal(random));
  const own = createWave(random, run.wave ?? 0);
  const common = createWave(randomSource(run.commonSeed ?? 0, 8), run.commonWave ?? 0);
  const slope = (drift + ownDrift * normal(randomSource(seed, 9))) / seconds;
  return resultOfSeconds(
    Array.from({ length: seconds }, (_, second): SimulatedSecond => {
      const height = own() + common() + slope * second;
      let failed = 0;
      const durationsMs = Array.from({ length: requestsPerSecond }, () => {
        const spread = normal(random);
        const tail = spread > slowestTenth ? (run.tailFactor ?? 1) : 1;
        if (random() < failedShare) failed++;
        return 10 * runFactor * tail * Math.exp(height + 0.5 * spread);
      });
      return { durationsMs, failed };
    }),
  );
}

/** Simulates the runs of a side. */
export function simulateSide(name: string, runs: readonly SimulatedResult[]): NamedRun[] {
  return runs.map((run, at) => ({ name: `${name}-${at + 1}.json`, result: simulateResult(run) }));
}

/** The normal distribution's 90 % quantile. */
const slowestTenth = 1.281552;

/** Returns a slow wave: each second depends on the one before (AR(1)). */
function createWave(random: RandomSource, deviation: number): () => number {
  let height = normal(random);
  return () => {
    height = 0.7 * height + Math.sqrt(1 - 0.7 ** 2) * normal(random);
    return deviation * height;
  };
}

/** Draws from the standard normal distribution (Box and Muller, 1958). */
function normal(random: RandomSource): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
