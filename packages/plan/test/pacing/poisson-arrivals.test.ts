import { describe, expect, test } from "vitest";

import { poissonArrivals } from "../../src/pacing/arrivals.ts";
import { randomSource } from "../../src/pacing/random-source.ts";
import { constantRate, rampingRate, type RateProfile } from "../../src/pacing/rate-profile.ts";
import { stripeNumber } from "../../src/pacing/stripe.ts";

const schedule = (profile: RateProfile, seed: number) =>
  poissonArrivals(profile, () => randomSource(seed, -1));

function allOf(profile: RateProfile, seed: number): number[] {
  const arrivals = schedule(profile, seed);
  const due: number[] = [];
  for (let atMs = arrivals.dueMs(0); atMs < Infinity; atMs = arrivals.dueMs(due.length)) due.push(atMs);
  return due;
}

/** Returns the Kolmogorov–Smirnov distance of the samples from an exponential distribution of this mean. */
function distanceFromExponential(samples: readonly number[], mean: number): number {
  const count = samples.length;
  return samples
    .toSorted((left, right) => left - right)
    .reduce((greatest, sample, index) => {
      const expected = 1 - Math.exp(-sample / mean);
      return Math.max(greatest, expected - index / count, (index + 1) / count - expected);
    }, 0);
}

const seeds = [1, 2, 42, 4242, 2 ** 40 + 7];
const rate = 200;
const steady = constantRate(rate, 1000, 40_000);

describe.each(seeds)("Poisson arrivals with seed %d", (seed) => {
  const due = allOf(steady, seed);

  test("have gaps that are exponential (Kolmogorov–Smirnov, 0.1 %)", () => {
    expect(due.length).toBeGreaterThan(5000);
    const gaps = due.map((atMs, index) => atMs - (due[index - 1] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(0);
    // 1.949 / √n is the test's bound at 0.1 %: a uniform schedule is at 0.63.
    expect(distanceFromExponential(gaps, 1000 / rate)).toBeLessThan(1.949 / Math.sqrt(gaps.length));
  });

  test("have gaps that do not correlate with the next gap", () => {
    const gaps = due.map((atMs, index) => atMs - (due[index - 1] ?? 0));
    const mean = 1000 / rate;
    const products = gaps.slice(1).map((gap, index) => (gap - mean) * ((gaps[index] ?? mean) - mean));
    const correlation = products.reduce((sum, one) => sum + one, 0) / products.length / mean ** 2;
    expect(Math.abs(correlation)).toBeLessThan(4 / Math.sqrt(gaps.length));
  });

  test("come at the rate, with the variance of a Poisson process in short intervals", () => {
    expect(Math.abs(due.length - steady.arrivals)).toBeLessThan(4 * Math.sqrt(steady.arrivals));
    const perSlice = Array.from({ length: 400 }, () => 0);
    for (const atMs of due) perSlice[Math.floor(atMs / 100)] = (perSlice[Math.floor(atMs / 100)] ?? 0) + 1;
    const mean = due.length / perSlice.length;
    const variance = perSlice.reduce((sum, count) => sum + (count - mean) ** 2, 0) / (perSlice.length - 1);
    // The index of dispersion is 1 for Poisson and 0 for even spacing. The bound is four standard deviations.
    expect(Math.abs(variance / mean - 1)).toBeLessThan(4 * Math.sqrt(2 / perSlice.length));
  });
});

describe("Poisson arrivals", () => {
  test("are the same for the same seed, and differ between seeds", () => {
    expect(allOf(steady, 7)).toEqual(allOf(steady, 7));
    expect(allOf(steady, 7).slice(0, 5)).not.toEqual(allOf(steady, 8).slice(0, 5));
    expect(new Set(seeds.map((seed) => allOf(steady, seed)[0])).size).toBe(seeds.length);
  });

  test.each([1, 2, 3, 5])("are the same for %d workers", (count) => {
    const parts = Array.from({ length: count }, (_, index) => {
      const arrivals = schedule(steady, 7);
      const due: number[] = [];
      const next = (): number => arrivals.dueMs(stripeNumber(due.length, { index, count }));
      for (let atMs = next(); atMs < Infinity; atMs = next()) due.push(atMs);
      return due;
    });
    expect(parts.flat().toSorted((left, right) => left - right)).toEqual(allOf(steady, 7));
  });

  test("are due at the same times when they are requested out of order", () => {
    const due = allOf(steady, 7).slice(0, 200);
    const arrivals = schedule(steady, 7);
    const order = due.map((_, index) => (index * 67) % due.length);
    expect(order.map((index) => arrivals.dueMs(index))).toEqual(order.map((index) => due[index]));
    expect([arrivals.dueMs(9), arrivals.dueMs(9), arrivals.dueMs(8), arrivals.dueMs(9)]).toEqual([
      due[9],
      due[9],
      due[8],
      due[9],
    ]);
  });

  test("are drawn once when they are requested in order, even if each is requested twice", () => {
    let streams = 0;
    const arrivals = poissonArrivals(steady, () => {
      streams++;
      return randomSource(7, -1);
    });
    for (let index = 0; index < 100; index++) expect(arrivals.dueMs(index)).toBe(arrivals.dueMs(index));
    expect(streams).toBe(1);
  });

  test("follow a rate that ramps: a quarter of them fall into the first half of a ramp from 0", () => {
    const ramp = rampingRate(0, [{ durationMs: 40_000, target: 400 }], 1000);
    for (const seed of seeds) {
      const due = allOf(ramp, seed);
      expect(Math.abs(due.length - 8000)).toBeLessThan(4 * Math.sqrt(8000));
      const early = due.filter((atMs) => atMs < 20_000).length;
      expect(Math.abs(early - 2000)).toBeLessThan(4 * Math.sqrt(2000));
      expect(due.every((atMs, index) => atMs >= (due[index - 1] ?? 0))).toBe(true);
      // Measured on the integral of the rate, the gaps are exponential again.
      const reached = due.map((atMs) => (400 * (atMs / 1000) ** 2) / 80);
      const gaps = reached.map((arrivals, index) => arrivals - (reached[index - 1] ?? 0));
      expect(distanceFromExponential(gaps, 1)).toBeLessThan(1.949 / Math.sqrt(gaps.length));
    }
  });

  test("do not fall into stages without a rate", () => {
    const pause = rampingRate(
      100,
      [
        { durationMs: 2000, target: 100 },
        { durationMs: 0, target: 0 },
        { durationMs: 3000, target: 0 },
        { durationMs: 0, target: 100 },
        { durationMs: 2000, target: 100 },
      ],
      1000,
    );
    const due = allOf(pause, 7);
    expect(due.length).toBeGreaterThan(300);
    expect(due.filter((atMs) => atMs > 2000 && atMs < 5000)).toEqual([]);
    expect(due.at(-1)).toBeLessThanOrEqual(7000);
  });
});
