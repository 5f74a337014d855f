import { describe, expect, test } from "vitest";

import {
  accumulatorFor,
  createAccumulator,
  deltaOf,
  mergeDelta,
  type Accumulator,
  Counter,
  Gauge,
  Rate,
} from "../src/accumulator.ts";
import { Trend } from "../src/trend.ts";

function filled(): Accumulator[] {
  const counter = new Counter();
  counter.add(2);
  counter.add(0.5);
  const gauge = new Gauge();
  for (const value of [5, -3, 4]) gauge.add(value);
  const rate = new Rate();
  for (const value of [true, false, true]) rate.add(value);
  const trend = new Trend(2);
  for (const value of [0, 12, 1.25]) trend.add(value);
  return [counter, gauge, rate, trend];
}

describe("accumulators", () => {
  test("give the same contents again when their delta is merged into an empty one", () => {
    for (const accumulator of filled()) {
      const delta = structuredClone(deltaOf(accumulator));
      const copy = accumulatorFor(delta);
      expect(mergeDelta(copy, delta)).toBe(true);
      expect(deltaOf(copy)).toEqual(delta);
    }
  });

  test("drain their contents, then nothing", () => {
    for (const accumulator of filled()) {
      const whole = deltaOf(accumulator);
      expect(accumulator.drain()).toEqual(whole);
      expect(accumulator.drain()).toBeNull();
    }
  });

  test("refuse a delta of another type and stay as they were", () => {
    for (const accumulator of filled()) {
      for (const other of filled()) {
        if (other.type === accumulator.type) continue;
        const before = deltaOf(accumulator);
        expect(mergeDelta(accumulator, deltaOf(other))).toBe(false);
        expect(deltaOf(accumulator)).toEqual(before);
      }
    }
  });

  test("are of the requested type", () => {
    for (const type of ["counter", "gauge", "rate", "trend"] as const) {
      expect(createAccumulator(type, 3).type).toBe(type);
    }
  });
});

describe("a gauge", () => {
  test("keeps the last value and the extremes, also across drains", () => {
    const gauge = new Gauge();
    const merged = new Gauge();
    for (const value of [5, 9, 2]) gauge.add(value);
    merged.merge(gauge.drain()!);
    gauge.add(7);
    merged.merge(gauge.drain()!);
    expect({ value: merged.value, min: merged.min, max: merged.max, samples: merged.samples }).toEqual({
      value: 7,
      min: 2,
      max: 9,
      samples: 4,
    });
  });
});
