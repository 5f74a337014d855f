import fc from "fast-check";
import { describe, expect, test } from "vitest";

import type { ValidatedStage } from "../../src/pacing/load-over-time.ts";
import { constantArrivals, rampingArrivals, type ArrivalSchedule } from "../../src/pacing/arrivals.ts";
import { constantRate, rampingRate } from "../../src/pacing/rate-profile.ts";
import { stripeNumber } from "../../src/pacing/stripe.ts";

const stages = (...list: readonly [durationMs: number, target: number][]): ValidatedStage[] =>
  list.map(([durationMs, target]) => ({ durationMs, target }));

/** Returns all arrivals of a schedule, requested as a pacer does. Throws if the schedule has no end. */
function allOf(schedule: ArrivalSchedule): number[] {
  const due: number[] = [];
  for (let atMs = schedule.dueMs(0); atMs < Infinity; atMs = schedule.dueMs(due.length)) {
    due.push(atMs);
    if (due.length > 1_000_000) throw new RangeError("no end");
  }
  return due;
}

const rounded = (due: readonly number[]): number[] => due.map((atMs) => Math.round(atMs * 1000) / 1000);

const someStages = fc.array(
  fc.record({
    durationMs: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 20_000 })),
    target: fc.oneof(
      fc.constant(0),
      fc.integer({ min: 0, max: 200 }),
      fc.double({ min: 0, max: 50, noNaN: true }),
    ),
  }),
  { minLength: 1, maxLength: 6 },
);
const startRates = fc.oneof(fc.constant(0), fc.double({ min: 0, max: 100, noNaN: true }));
const timeUnits = fc.constantFrom(100, 1000, 60_000);

/** Returns the integral of the rate up to a moment, straight from the definition. */
function integral(
  startRate: number,
  list: readonly ValidatedStage[],
  timeUnitMs: number,
  untilMs: number,
): number {
  let [sum, startMs, rate] = [0, 0, startRate];
  for (const { durationMs, target } of list) {
    const lastedMs = Math.min(durationMs, Math.max(0, untilMs - startMs));
    const reached = durationMs === 0 ? target : rate + ((target - rate) * lastedMs) / durationMs;
    sum += ((rate + reached) / 2 / timeUnitMs) * lastedMs;
    startMs += durationMs;
    rate = target;
  }
  return sum;
}

describe("the arrivals due by a time", () => {
  test("are the integral of the rate, also before the start and past the end", () => {
    fc.assert(
      fc.property(
        startRates,
        someStages,
        timeUnits,
        fc.double({ min: -1, max: 2, noNaN: true }),
        (rate, list, timeUnitMs, share) => {
          const profile = rampingRate(rate, list, timeUnitMs);
          const atMs = profile.durationMs * share;
          const expected = integral(rate, list, timeUnitMs, atMs);
          expect(Math.abs(profile.arrivalsBy(atMs) - expected)).toBeLessThanOrEqual(1e-9 * (1 + expected));
        },
      ),
    );
  });

  test("of a constant rate grow until it ends", () => {
    const profile = constantRate(30, 60_000, 10_000);
    expect([-5, 0, 2000, 10_000, 99_000].map((atMs) => profile.arrivalsBy(atMs))).toEqual([0, 0, 1, 5, 5]);
  });
});

describe("arrivals at a rate that ramps", () => {
  test("start when the integral of the rate reaches the next whole number", () => {
    const profile = rampingRate(0, stages([5000, 1], [1000, 1], [5000, 0]), 1000);
    expect(allOf(rampingArrivals(profile)).map(Math.floor)).toEqual([3162, 4472, 5500, 6527, 7837, 11_000]);
    expect(profile).toMatchObject({ durationMs: 11_000, arrivals: 6 });
  });

  test.each([
    { what: "a level ramp", start: 2, list: stages([2000, 2]), unit: 1000, due: [500, 1000, 1500, 2000] },
    { what: "startRate", start: 4, list: stages([2000, 0]), unit: 1000, due: [267.949, 585.786, 1000, 2000] },
    {
      what: "a jump in 0 s",
      start: 0,
      list: stages([1000, 0], [0, 2], [1000, 2]),
      unit: 1000,
      due: [1500, 2000],
    },
    {
      what: "a pause of zero rate",
      start: 1,
      list: stages([1500, 1], [0, 0], [3000, 0], [0, 1], [1500, 1]),
      unit: 1000,
      due: [1000, 5000, 6000],
    },
    {
      what: "a fraction carried over three stages",
      start: 1,
      list: stages([300, 1], [300, 1], [300, 1], [200, 1]),
      unit: 1000,
      due: [1000],
    },
    {
      what: "a timeUnit of a minute",
      start: 60,
      list: stages([3000, 60]),
      unit: 60_000,
      due: [1000, 2000, 3000],
    },
    { what: "a timeUnit of 100 ms", start: 1, list: stages([300, 1]), unit: 100, due: [100, 200, 300] },
    { what: "no rate at all", start: 0, list: stages([1000, 0], [1000, 0]), unit: 1000, due: [] },
    { what: "less than one arrival", start: 0, list: stages([1000, 1.9]), unit: 1000, due: [] },
  ])("are due on time with $what", ({ start, list, unit, due }) => {
    const schedule = rampingArrivals(rampingRate(start, list, unit));
    expect(rounded(allOf(schedule))).toEqual(due);
    expect(schedule.total).toBe(due.length);
  });

  test("include the last one of a ramp, which is not lost to rounding in the sums", () => {
    for (const target of [0.1, 0.3, 0.7, 1.1, 3.3]) {
      const list = stages(...Array.from({ length: 100 }, (): [number, number] => [100, target]));
      expect(rampingArrivals(rampingRate(target, list, 1000)).total).toBe(Math.floor(target * 10 + 1e-9));
    }
    const long = stages(...Array.from({ length: 250 }, (): [number, number] => [1000, 3.3]));
    expect(rampingArrivals(rampingRate(3.3, long, 1000)).total).toBe(825);
  });

  test("begin where the rate rises above 0, even if that is not in the first stage", () => {
    expect(rampingRate(0, stages([1000, 2]), 1000).reachedMs(0)).toBe(0);
    expect(rampingRate(0, stages([1000, 0], [1000, 2]), 1000).reachedMs(0)).toBe(1000);
  });

  test("come in order, one for each whole number of the integral, and none after the end", () => {
    fc.assert(
      fc.property(startRates, someStages, timeUnits, (startRate, list, unit) => {
        const profile = rampingRate(startRate, list, unit);
        fc.pre(profile.arrivals < 20_000);
        const schedule = rampingArrivals(profile);
        const due = allOf(schedule);
        expect(due).toHaveLength(schedule.total);
        const exact = integral(startRate, list, unit, profile.durationMs);
        expect(due.length).toBeGreaterThanOrEqual(Math.floor(exact - 1e-6));
        expect(due.length).toBeLessThanOrEqual(Math.floor(exact + 1e-6));
        const outOfOrder = due.findIndex((atMs, index) => atMs < (due[index - 1] ?? 0));
        expect(outOfOrder).toBe(-1);
        expect(due.at(-1) ?? 0).toBeLessThanOrEqual(profile.durationMs);
        expect(schedule.dueMs(due.length + 1000)).toBe(Infinity);
      }),
      { numRuns: 60 },
    );
  });

  test("are due when the integral of the rate reaches each whole number", () => {
    fc.assert(
      fc.property(startRates, someStages, timeUnits, fc.nat(), (startRate, list, unit, pick) => {
        const schedule = rampingArrivals(rampingRate(startRate, list, unit));
        fc.pre(schedule.total > 0);
        const index = pick % schedule.total;
        expect(integral(startRate, list, unit, schedule.dueMs(index))).toBeCloseTo(index + 1, 3);
      }),
      { numRuns: 100 },
    );
  });

  test("are each due on exactly one worker, at the same times as on a single worker", () => {
    fc.assert(
      fc.property(startRates, someStages, fc.integer({ min: 1, max: 7 }), (startRate, list, count) => {
        const create = () => rampingArrivals(rampingRate(startRate, list, 1000));
        const whole = allOf(create());
        const parts = Array.from({ length: count }, (_, index) => {
          const schedule = create();
          return allOf({ dueMs: (position) => schedule.dueMs(stripeNumber(position, { index, count })) });
        });
        expect(parts.flat().toSorted((left, right) => left - right)).toEqual(whole);
      }),
      { numRuns: 40 },
    );
  });

  test("are due at the same times when they are requested out of order", () => {
    const schedule = rampingArrivals(rampingRate(3, stages([5000, 40], [0, 7], [3000, 0]), 1000));
    const due = allOf(schedule);
    const order = due.map((_, index) => (index * 37) % due.length);
    expect(order.map((index) => schedule.dueMs(index))).toEqual(order.map((index) => due[index]));
  });

  test("between equal targets are as many as at a constant rate, each one gap later", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 500 }),
        fc.array(fc.integer({ min: 1, max: 5000 }), { minLength: 1, maxLength: 5 }),
        (rate, durations) => {
          const durationMs = durations.reduce((sum, one) => sum + one, 0);
          const list = durations.map((one) => ({ durationMs: one, target: rate }));
          const ramped = rampingArrivals(rampingRate(rate, list, 1000));
          const constant = constantArrivals(rate, 1000, durationMs);
          // The constant rate has an arrival at 0 and none at the end, the ramp none at 0 and one at the end.
          expect(ramped.total).toBe(Math.floor((rate * durationMs) / 1000));
          expect(constant.total - ramped.total).toBe((rate * durationMs) % 1000 === 0 ? 0 : 1);
          const last = ramped.total - 1;
          if (last > 0) expect(ramped.dueMs(last - 1)).toBeCloseTo(constant.dueMs(last), 6);
        },
      ),
      { numRuns: 60 },
    );
  });
});

test("a constant rate and a ramp between equal rates have the same integral", () => {
  const constant = constantRate(30, 1000, 10_000);
  const level = rampingRate(30, stages([4000, 30], [6000, 30]), 1000);
  expect(level.arrivals).toBe(constant.arrivals);
  for (const arrivals of [0, 0.5, 1, 119.9, 120, 299.5, 300]) {
    expect(level.reachedMs(arrivals)).toBeCloseTo(constant.reachedMs(arrivals), 6);
  }
  expect([constant.reachedMs(301), level.reachedMs(301)]).toEqual([Infinity, Infinity]);
});
