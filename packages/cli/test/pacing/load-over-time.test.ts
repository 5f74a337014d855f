import { expect, test } from "vitest";

import { loadOverTime, mostLoad } from "../../src/pacing/load-over-time.ts";
import {
  arrivals,
  constantVus,
  perVuIterations,
  rampingArrivals,
  rampingVus,
  sharedIterations,
} from "../test-file/tests-for-plans.ts";

test("each executor's load begins at its start, in virtual users or iterations per second", () => {
  const late = { startTimeMs: 500 };
  expect(loadOverTime({ ...constantVus("a", 5), ...late })).toEqual([
    { atMs: 500, load: 5 },
    { atMs: 10_500, load: 5 },
  ]);
  expect(loadOverTime(sharedIterations("a", 2, 3)).map(({ load }) => load)).toEqual([2, 2]);
  expect(loadOverTime(perVuIterations("a", 4, 1)).map(({ load }) => load)).toEqual([4, 4]);
  expect(loadOverTime({ ...rampingVus("a"), ...late })).toEqual([
    { atMs: 500, load: 1 },
    { atMs: 1500, load: 4 },
  ]);
  const perMinute = { timeUnitMs: 60_000 };
  const steady = arrivals("a", 120);
  const rising = rampingArrivals("a");
  if (steady.executor !== "constant-arrival-rate" || rising.executor !== "ramping-arrival-rate")
    throw new TypeError("other executors were asked for");
  expect(loadOverTime({ ...steady, ...perMinute })[1]).toEqual({ atMs: 10_000, load: 2 });
  expect(loadOverTime({ ...rising, ...perMinute })[1]).toEqual({ atMs: 1000, load: 4 / 60 });
});

test("the highest load of a span is found inside ramps, at jumps and in short peaks, and is 0 outside", () => {
  const points = [
    { atMs: 1000, load: 0 },
    { atMs: 2000, load: 10 },
    { atMs: 2000, load: 50 },
    { atMs: 2001, load: 50 },
    { atMs: 2001, load: 2 },
    { atMs: 3000, load: 2 },
  ];
  expect(mostLoad(points, 0, 1000)).toBe(0);
  expect(mostLoad(points, 0, 1500)).toBe(5);
  expect(mostLoad(points, 1500, 2000)).toBe(10);
  expect(mostLoad(points, 1000, 3000)).toBe(50);
  expect(mostLoad(points, 2500, 9000)).toBe(2);
  expect(mostLoad(points, 3000, 9000)).toBe(0);
});
