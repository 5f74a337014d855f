import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { constantArrivals } from "../../src/pacing/arrivals.ts";

const rates = fc.oneof(
  fc.integer({ min: 1, max: 100_000 }),
  fc.double({ min: 0.001, max: 5000, noNaN: true }),
);
const timeUnits = fc.constantFrom(1, 100, 1000, 60_000, 3_600_000);
const durations = fc.oneof(
  fc.integer({ min: 1, max: 7_200_000 }),
  fc.double({ min: 0.5, max: 100_000, noNaN: true }),
);

describe("arrivals at a constant rate", () => {
  test.each([
    { rate: 500, timeUnitMs: 1000, durationMs: 10_000, total: 5000 },
    { rate: 1, timeUnitMs: 1000, durationMs: 1000, total: 1 },
    { rate: 1, timeUnitMs: 1000, durationMs: 1001, total: 2 },
    { rate: 3, timeUnitMs: 1000, durationMs: 1000, total: 3 },
    { rate: 7, timeUnitMs: 60_000, durationMs: 90_000, total: 11 },
    { rate: 0.1, timeUnitMs: 1000, durationMs: 5000, total: 1 },
    { rate: 1.1, timeUnitMs: 1000, durationMs: 10_000, total: 11 },
    { rate: 3, timeUnitMs: 7000, durationMs: 7000, total: 3 },
    { rate: 3, timeUnitMs: 7000, durationMs: 70_000, total: 30 },
    { rate: 3, timeUnitMs: 7000, durationMs: 70_001, total: 31 },
    { rate: 0.001, timeUnitMs: 1000, durationMs: 1_000_000, total: 1 },
    { rate: 0.001, timeUnitMs: 1000, durationMs: 1_000_001, total: 2 },
    { rate: 0.001, timeUnitMs: 1000, durationMs: 3_600_000, total: 4 },
    // Here rate × duration is off by rounding, so the times of the arrivals decide.
    { rate: 0.17, timeUnitMs: 1, durationMs: 3000, total: 510 },
    { rate: 0.07, timeUnitMs: 1, durationMs: 1000, total: 71 },
  ])("$rate each $timeUnitMs ms for $durationMs ms are $total", ({ rate, timeUnitMs, durationMs, total }) => {
    expect(constantArrivals(rate, timeUnitMs, durationMs).total).toBe(total);
  });

  test.each([1e20, 1e300])("%d each second are counted without generating them", (rate) => {
    const schedule = constantArrivals(rate, 1000, 10_000);
    expect(schedule.total / rate).toBeCloseTo(10, 6);
    expect(schedule.dueMs(0)).toBe(0);
    expect(schedule.dueMs(1)).toBeLessThan(1);
  });

  test("the first is due at once, and none at or after the end", () => {
    fc.assert(
      fc.property(rates, timeUnits, durations, (rate, timeUnitMs, durationMs) => {
        const schedule = constantArrivals(rate, timeUnitMs, durationMs);
        expect(schedule.total).toBeGreaterThanOrEqual(1);
        expect(schedule.dueMs(0)).toBe(0);
        expect(schedule.dueMs(schedule.total - 1)).toBeLessThan(durationMs);
        expect(schedule.dueMs(schedule.total)).toBe(Infinity);
        expect(schedule.dueMs(schedule.total + 1000)).toBe(Infinity);
      }),
    );
  });

  test("no further arrival would fit before the end", () => {
    fc.assert(
      fc.property(rates, timeUnits, durations, (rate, timeUnitMs, durationMs) => {
        const { total } = constantArrivals(rate, timeUnitMs, durationMs);
        expect((total * timeUnitMs) / rate).toBeGreaterThanOrEqual(durationMs);
      }),
    );
  });

  test("later ones are due later, and still exactly on schedule after hours", () => {
    const schedule = constantArrivals(3, 1000, 7_200_000);
    expect(schedule.dueMs(3 * 3600)).toBe(3_600_000);
    expect(schedule.dueMs(3 * 7199)).toBe(7_199_000);
    for (let index = 1; index < schedule.total; index++) {
      expect(schedule.dueMs(index)).toBeGreaterThan(schedule.dueMs(index - 1));
    }
  });
});
