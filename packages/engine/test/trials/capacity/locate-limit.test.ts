import { expect, test } from "vitest";

import { locateLimit } from "../../../src/trials/capacity/locate-limit.ts";
import type { Point } from "../../../src/trials/capacity/points.ts";

const logOdds = (share: number): number => Math.log(share / (1 - share));

/** Returns points on a line of this steepness, which has 1 % of violations at a load of 400. */
function pointsAt(loads: readonly number[], { steepness = 20, effectiveSamples = 5000 } = {}): Point[] {
  return loads.map((load) => {
    const odds = Math.exp(logOdds(0.01) + steepness * (load / 400 - 1));
    const shared = { judges: "share", bound: 0.01, relativeError: 0, degrees: 15 } as const;
    return { ...shared, load, value: odds / (1 + odds), effectiveSamples };
  });
}

test("the limit is where a line through all points meets the bound", () => {
  for (const steepness of [5, 20, 60]) {
    const limit = locateLimit(pointsAt([370, 385, 415, 430], { steepness }), 2);
    expect(limit?.objective).toBe(2);
    expect(limit?.load).toBeGreaterThan(392);
    expect(limit?.load).toBeLessThan(408);
    expect(limit?.low).toBeLessThan(400);
    expect(limit?.high).toBeGreaterThan(400);
  }
});

test("more requests narrow the interval", () => {
  const [few, many] = [500, 50_000].map((effectiveSamples) =>
    locateLimit(pointsAt([380, 420], { effectiveSamples }), 0),
  );
  const width = (limit: typeof few): number => (limit?.high ?? 0) - (limit?.low ?? 0);
  expect(width(many)).toBeGreaterThan(0);
  expect(width(many)).toBeLessThan(width(few) / 2);
});

test("a load without a violation is weighted by its number of requests", () => {
  const [violated] = pointsAt([420]);
  if (violated === undefined) throw new Error("no point");
  const clean = (effectiveSamples: number): Point => ({ ...violated, load: 390, value: 0, effectiveSamples });
  const [few, many] = [clean(20), clean(2000)].map((point) => locateLimit([point, violated], 0));
  expect(many?.low).toBeGreaterThan(few?.low ?? Number.POSITIVE_INFINITY);
});

test("overload only shows on which side the limit is, however far its point is from the line", () => {
  const [overloaded] = pointsAt([800]);
  if (overloaded === undefined) throw new Error("no point");
  const near = pointsAt([385, 415]);
  const [usual, worse] = [0.3, 1].map((value) => locateLimit([...near, { ...overloaded, value }], 0));
  expect(Math.abs((usual?.load ?? 0) / (worse?.load ?? 1) - 1)).toBeLessThan(0.005);
});

test("a mean has a limit, too", () => {
  const points = [360, 440].map((load): Point => {
    const value = 80 * Math.exp(5 * (load / 400 - 1));
    const shared = { judges: "mean", bound: 80, effectiveSamples: 1000, degrees: 15 } as const;
    return { ...shared, load, value, relativeError: 0.02 };
  });
  const limit = locateLimit(points, 0);
  expect(limit?.low).toBeGreaterThan(385);
  expect(limit?.high).toBeLessThan(415);
});

test("points on one side of the bound show no limit", () => {
  expect(locateLimit(pointsAt([300, 350, 390]), 0)).toBeNull();
  expect(locateLimit(pointsAt([410, 450]), 0)).toBeNull();
  expect(locateLimit([], 0)).toBeNull();
});
