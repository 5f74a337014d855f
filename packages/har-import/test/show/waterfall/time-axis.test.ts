import fc from "fast-check";
import { expect, test } from "vitest";
import { place, timeAxis } from "../../../src/show/waterfall/render-steps.ts";

test("ticks are at round numbers, and there are at most five", () => {
  expect(timeAxis(1240).ticksMs).toEqual([500, 1000]);
  expect(timeAxis(90).ticksMs).toEqual([20, 40, 60, 80]);
  expect(timeAxis(0).lengthMs).toBe(1);
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1e9, noNaN: true }), (lengthMs) => {
      const { ticksMs } = timeAxis(lengthMs);
      expect(ticksMs.length).toBeLessThanOrEqual(5);
      expect(ticksMs.every((at) => at <= Math.max(1, lengthMs))).toBe(true);
    }),
  );
});

test("a time beyond an end of the axis is placed at that end", () => {
  const axis = timeAxis(200);
  expect([-5, 0, 50, 200, 900].map((ms) => place(axis, ms))).toEqual(["0%", "0%", "25%", "100%", "100%"]);
});
